// The refusals that an operation may answer with: those of its kind, and its own.
import type { OperationFacts } from '../operation.ts';

const words: Record<number, string> = {
  400: 'The body, a parameter or a header is invalid; `errors` lists every fault',
  401: 'The key is missing, unknown or revoked',
  403: 'The key’s scope or the owner’s quota does not allow the request',
  404: 'The item does not exist, or belongs to another owner',
  409: 'The request conflicts with the current state, or the Idempotency-Key was used for another request',
  412: 'The item was changed after the version in If-Match',
  413: 'The body is too large',
  415: 'The body’s Content-Type is not JSON',
  428: 'If-Match is missing, and the body replaces a list',
  429: 'Too many requests with this key, or the owner’s share of a shared limit is used up; Retry-After says how many seconds to wait',
  500: 'An error on our side; retry the request',
  503: 'The marketplace did not answer',
};

/** Statuses with their meanings, in order. */
export function refusalsOf(operation: OperationFacts): { status: number; words: string }[] {
  const statuses = new Set([...conventional(operation), ...(operation.refusals ?? [])]);
  return [...statuses]
    .sort((a, b) => a - b)
    .map((status) => ({ status, words: words[status] ?? 'Refused' }));
}

function conventional({ access, method, params, replaces }: OperationFacts): number[] {
  // Even a path that takes no body refuses a body that is too large or not JSON.
  const changing = method === 'get' ? [] : [413, 415];
  const found = params ? [404] : [];
  if (access === 'public') return [400, 500, ...changing, ...found];
  return [
    ...[400, 401, 403, 429, 500],
    ...changing,
    ...found,
    ...(method === 'post' ? [409] : []),
    ...(method === 'patch' || method === 'delete' ? [412] : []),
    ...(replaces ? [428] : []),
  ];
}
