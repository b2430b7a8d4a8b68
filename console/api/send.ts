// Sends a request with the session's cookie. A POST that changes something carries a key, so that a repeat after a
// lost answer does nothing twice.
import { type ApiCall, addressOf, type Details } from './call.ts';
import { RefusedError, SignedOutError, UnreachableError } from './errors.ts';

/** Waits before each retry of a request whose answer was lost, in milliseconds. */
const retryAfterMs = [400, 1_500];

/** Told to the window when an answer says that nobody is signed in: whatever was asked, signing in follows. */
export const signedOutEvent = 'signedout';

/** An answer with its version, which a change names. */
export interface Versioned<Answer> {
  body: Answer;
  /** The ETag; undefined if the answer has none. */
  version: string | undefined;
}

/** @throws RefusedError | SignedOutError | UnreachableError */
export async function send<Answer>(call: ApiCall<Answer>, details: Details = {}): Promise<Answer> {
  return (await sendVersioned(call, details)).body;
}

/** @throws RefusedError | SignedOutError | UnreachableError */
export async function sendVersioned<Answer>(
  call: ApiCall<Answer>,
  details: Details = {},
): Promise<Versioned<Answer>> {
  const response = await fetchWithRetries(addressOf(call, details), initOf(call, details));
  const text = await response.text();
  const body = parse(text);
  if (response.status === 401) {
    dispatchEvent(new Event(signedOutEvent));
    throw new SignedOutError(String(body?.detail ?? 'Sign in again'));
  }
  if (response.status >= 500) throw new UnreachableError(`The API answered ${response.status}`);
  if (!response.ok) throw new RefusedError(response.status, body ?? {});
  return { body: body as Answer, version: response.headers.get('etag') ?? undefined };
}

function initOf(
  { method, isRead }: ApiCall<unknown>,
  { body, file, ifMatch, signal }: Details,
): RequestInit {
  return {
    method,
    // A deletion that waits for its undo is sent while the page closes.
    keepalive: method === 'DELETE',
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(file && { 'content-type': file.type }),
      ...(method === 'POST' && !isRead && { 'idempotency-key': crypto.randomUUID() }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(file && { body: file.content }),
    ...(signal && { signal }),
  };
}

/** A request without an answer is sent again: reads and keyed posts change nothing more. */
async function fetchWithRetries(address: string, init: RequestInit): Promise<Response> {
  const waits = init.method === 'GET' || init.method === 'POST' ? retryAfterMs : [];
  for (const wait of [...waits, undefined]) {
    try {
      return await fetch(address, init);
    } catch (error) {
      if (init.signal?.aborted) throw error;
      if (wait === undefined) throw new UnreachableError('The API was not reached');
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
  throw new UnreachableError('The API was not reached');
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
