/**
 * Parses a successful answer into a value of the contract. Converts nothing: a price sent as a
 * string breaks the contract.
 */
import type * as z from 'zod';
import { ContractError, ServerError } from './errors.ts';
import { excerptOf, type Redactor } from './redact.ts';

export interface JsonAnswer {
  /** The endpoint's label. */
  endpoint: string;
  response: Response;
  text: string;
  redact: Redactor;
}

/**
 * Parses and checks a 2xx answer.
 *
 * @throws ServerError when the body isn't JSON: a proxy's page, an empty or a truncated body
 * @throws ContractError when the JSON has another shape; names the path
 */
export function parseAnswer<S extends z.ZodType>(schema: S, answer: JsonAnswer): z.infer<S> {
  const { endpoint, response, text, redact } = answer;
  const gatherEvidence = () => {
    return { endpoint, status: response.status, bodyExcerpt: excerptOf(text, redact) };
  };
  const body = readBody(text, response.headers.get('content-type'));
  if ('problem' in body) throw new ServerError(redact(body.problem), gatherEvidence());
  const parsed = schema.safeParse(body.json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const path = redact(issue?.path.join('.') ?? '');
  const message = redact(`${path || 'body'}: ${issue?.message ?? 'mismatch'}`);
  throw new ContractError(message, gatherEvidence(), path);
}

/** v0.x and proxies may label JSON as text or bytes; a page of markup is not parsed. */
const READABLE_TYPE = /json|^text\/plain|^application\/octet-stream/;

function readBody(
  text: string,
  contentType: string | null,
): { json: unknown } | { problem: string } {
  if (contentType !== null && !READABLE_TYPE.test(contentType)) {
    return { problem: `expected JSON, got ${contentType}` };
  }
  if (text === '') return { problem: 'expected JSON, got an empty body' };
  try {
    return { json: JSON.parse(text) };
  } catch {
    return { problem: `expected JSON, got ${text.length} characters that do not parse` };
  }
}
