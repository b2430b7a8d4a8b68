// Checks the size and type of request bodies, and parses JSON. The operation's schema checks
// the values.

import type { Context, MiddlewareHandler } from 'hono';
import { groupThousands } from '#shared/rules/words/words.ts';
import type { ApiEnv, SentBody } from '../env.ts';
import type { OperationFacts } from '../operation.ts';
import { problem } from '../problem.ts';
import { readStrictJson } from './strict-json.ts';

/** A watch with twenty rules is 10 KB of JSON; this leaves room for ten of them. Files have a limit of their own. */
export const bodyLimitBytes = 100 * 1024;

const withBody = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Reads the body into the context. An empty body is no body, because many clients send a content type with
 * each request.
 * @param bodyOf what the operation takes: whether CSV beside JSON, and how many bytes at most.
 */
export function createStrictBody(
  bodyOf: (context: Context) => Pick<OperationFacts, 'csvExamples' | 'mostBodyBytes'> | undefined,
): MiddlewareHandler<ApiEnv> {
  return async function strictBody(context, next) {
    if (withBody.has(context.req.method)) {
      const type = context.req.header('content-type');
      const text = decode(await context.req.arrayBuffer());
      if (text.trim() !== '') {
        const { csvExamples, mostBodyBytes = bodyLimitBytes } = bodyOf(context) ?? {};
        if (Buffer.byteLength(text) > mostBodyBytes) throw tooLarge(mostBodyBytes);
        const body = read(text, type, csvExamples !== undefined);
        context.set('body', body);
        if (body.type === 'json')
          context.req.bodyCache.text = Promise.resolve(JSON.stringify(body.json)) as never;
      }
    }
    await next();
  };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Invalid UTF-8 is refused: with replacement characters, a zone's name would become another name. */
function decode(bytes: ArrayBuffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw problem(
      'invalid-request',
      'The body is not UTF-8 text; save it as UTF-8 and send it again',
    );
  }
}

function read(text: string, type: string | undefined, takesCsv: boolean): SentBody {
  const [mediaType = '', ...parameters] = (type ?? '').split(';').map((part) => part.trim());
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter));
  const isUtf8 = charset === undefined || /^charset="?utf-8"?$/i.test(charset);
  if (isUtf8 && /^application\/json$/i.test(mediaType)) return readJson(text);
  if (isUtf8 && takesCsv && /^text\/csv$/i.test(mediaType)) return { type: 'csv', text };
  const csv = takesCsv ? ' or "text/csv"' : '';
  throw problem(
    'unsupported-media-type',
    `Send the body with "Content-Type: application/json"${csv}, in UTF-8`,
  );
}

function readJson(text: string): SentBody {
  const reading = readStrictJson(text);
  if (!reading.ok) {
    const { detail, errors = [] } = reading;
    throw problem('invalid-json', detail, { errors });
  }
  return { type: 'json', json: reading.value };
}

/** The refusal of a body over the limit. */
export function tooLarge(mostBytes: number) {
  const limit = groupThousands(mostBytes);
  return problem('body-too-large', `The body may have at most ${limit} bytes`);
}
