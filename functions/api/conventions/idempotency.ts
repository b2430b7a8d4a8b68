// Idempotency-Key: a POST that a client repeats because the answer was lost gets
// the first one's answer. If a crash interrupts a request, the next try under its key finishes it.
import { createHash } from 'node:crypto';
import type { Context, MiddlewareHandler, Next } from 'hono';
import type { IdempotencyPlace, IdempotencyStore, KeptAnswer } from '#shared/dynamo/idempotency.ts';
import { UnreadableItemError } from '#shared/dynamo/stored-items.ts';
import { idsFrom, isStorableId } from '#shared/watchlist/id.ts';
import type { ApiEnv } from '../env.ts';
import { problem } from '../problem.ts';
import { seal, unseal } from './sealed-text.ts';

interface IdempotencyDeps {
  answers: IdempotencyStore;
  now: () => number;
  /** Waits before it checks again whether a running request has finished. */
  wait: (ms: number) => Promise<void>;
}

const lookEveryMs = 150;
/** A second request checks this many times for the first one's answer: three seconds in total. */
const mostLooks = 20;
const keptHeaders = ['content-type', 'etag', 'location'];

/**
 * Applies to POST with the header. An Idempotency-Key is valid per API key and path, for a day. The stored
 * answer can be decrypted only with the API key of the request.
 */
export function createIdempotency(deps: IdempotencyDeps): MiddlewareHandler<ApiEnv> {
  return async function idempotency(context, next) {
    const header = context.req.header('idempotency-key');
    if (context.req.method !== 'POST' || header === undefined) return next();
    const place = {
      keyId: context.get('apiKey').keyId,
      route: routeKeyOf(context.req.path),
      key: readKey(header),
    };
    const fingerprint = createHash('sha256')
      // The query is part of the request's identity: a dry run must not answer for the real request.
      .update(`${new URL(context.req.url).search}\n`)
      .update(await context.req.text())
      .digest('hex');
    const turn = await takeTurn(deps, place, fingerprint);
    if (turn.kind === 'answered') return replay(context, turn.answer);
    context.set('newId', idsFrom(`${place.keyId}/${place.route}/${place.key}`, turn.startedAt));
    return carryOut(deps, place, context, next);
  };
}

/** The path of an unknown operation may be too long for a DynamoDB key, so it is hashed; the answer is 404 anyway. */
function routeKeyOf(path: string): string {
  if (isStorableId(path)) return path;
  return createHash('sha256').update(path).digest('hex');
}

/** A structured string in quotes (the draft's form) or bare, as many clients send it. */
function readKey(header: string): string {
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header.trim());
  const key = quoted ? (quoted[1] ?? '').replaceAll(/\\(["\\])/g, '$1') : header.trim();
  if (/^[\x21-\x7e]{1,200}$/.test(key)) return key;
  throw problem(
    'invalid-request',
    'Idempotency-Key must have 1 to 200 visible characters, such as a UUID',
  );
}

type Turn = { kind: 'mine'; startedAt: number } | { kind: 'answered'; answer: KeptAnswer };

async function takeTurn(
  { answers, now, wait }: IdempotencyDeps,
  place: IdempotencyPlace,
  fingerprint: string,
): Promise<Turn> {
  for (let look = 0; look < mostLooks; look += 1) {
    const at = now();
    if (await answers.begin(place, fingerprint, at)) return { kind: 'mine', startedAt: at };
    const found = await findAnswer(answers, place, at);
    if (!found) continue;
    if (found.fingerprint !== fingerprint) {
      throw problem(
        'idempotency-key-reused',
        'This Idempotency-Key was used with another body; use a new key for a new request',
      );
    }
    if (found.status !== undefined) return { kind: 'answered', answer: found };
    if (await answers.takeOver(found, at)) return { kind: 'mine', startedAt: found.startedAt };
    await wait(lookEveryMs);
  }
  throw problem(
    'request-in-progress',
    'The first request with this Idempotency-Key is still being processed; try again in a moment',
    { headers: { 'retry-after': '1' } },
  );
}

async function findAnswer(answers: IdempotencyStore, place: IdempotencyPlace, at: number) {
  try {
    return await answers.find(place, at);
  } catch (error) {
    if (error instanceof UnreadableItemError) throw damagedAnswer();
    throw error;
  }
}

/** We can't tell whether the first request was carried out, so it must not run again unnoticed. */
function damagedAnswer() {
  return problem(
    'idempotency-key-reused',
    'The stored answer for this Idempotency-Key is damaged; check whether the first request was carried out, then use a new key',
  );
}

async function carryOut(
  { answers, now }: IdempotencyDeps,
  place: IdempotencyPlace,
  context: Context<ApiEnv>,
  next: Next,
): Promise<void> {
  await next();
  const { res } = context;
  // A server error or a rate limit may pass, so the same key may be used again, and the new try
  // uses the same ids.
  if (res.status >= 500 || res.status === 429) return answers.letGo(place, now());
  const headers = Object.fromEntries(
    keptHeaders.flatMap((name) => {
      const value = res.headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  await answers.keep(place, {
    status: res.status,
    headers,
    body: seal(await res.clone().text(), secretOf(context)),
  });
}

function secretOf(context: Context): string {
  return context.req.header('authorization') ?? '';
}

function replay(context: Context, answer: KeptAnswer): Response {
  const { status = 200, headers = {} } = answer;
  const body = answer.body === undefined ? '' : openBody(answer.body, context);
  return context.newResponse(body === '' ? null : body, status as 200, {
    ...headers,
    'idempotent-replayed': 'true',
  });
}

function openBody(body: string, context: Context): string {
  try {
    return unseal(body, secretOf(context));
  } catch {
    throw damagedAnswer();
  }
}
