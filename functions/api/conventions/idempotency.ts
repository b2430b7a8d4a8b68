// Idempotency-Key: a POST that a client repeats because the answer was lost gets the first one's answer.
// Only success is stored. A refusal changes nothing and its reason may pass, and a crash may come at any
// step: in both cases the next try under the key runs the request again, with the same ids.
import { createHash } from 'node:crypto';
import type { Context, MiddlewareHandler, Next } from 'hono';
import {
  type IdempotencyPlace,
  type IdempotencyStore,
  type IdempotencyTry,
  type KeptAnswer,
  leaseFrom,
} from '#shared/dynamo/idempotency.ts';
import { UnreadableItemError } from '#shared/dynamo/stored-items.ts';
import { idsFrom, isStorableId } from '#shared/watchlist/id.ts';
import { secretOf } from '../credential.ts';
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
/** Headers that change what a POST does: how its body is read, and which version it may change. */
const asked = ['content-type', 'if-match'];
/** An item may have 400 KB; a body beyond this is not stored. */
const mostStored = 380_000;

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
    const fingerprint = await fingerprintOf(context);
    const turn = await takeTurn(deps, place, fingerprint);
    if (turn.kind === 'answered') return replay(context, turn.answer);
    context.set('newId', idsFrom(`${place.keyId}/${place.route}/${place.key}`, turn.startedAt));
    return carryOut(deps, { ...place, leaseUntil: turn.leaseUntil }, context, next);
  };
}

/** All parts of a request that decide what it does: a dry run must not answer for the real request. */
async function fingerprintOf({ req }: Context): Promise<string> {
  const query = new URL(req.url).searchParams;
  query.sort();
  const hash = createHash('sha256').update(`?${query}\n`);
  for (const name of asked) hash.update(`${name}: ${req.header(name) ?? ''}\n`);
  return hash.update(await req.text()).digest('hex');
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

type Turn =
  | { kind: 'mine'; startedAt: number; leaseUntil: number }
  | { kind: 'answered'; answer: KeptAnswer };

async function takeTurn(
  { answers, now, wait }: IdempotencyDeps,
  place: IdempotencyPlace,
  fingerprint: string,
): Promise<Turn> {
  for (let look = 0; look < mostLooks; look += 1) {
    const at = now();
    const mine = (startedAt: number): Turn => ({
      kind: 'mine',
      startedAt,
      leaseUntil: leaseFrom(at),
    });
    if (await answers.begin(place, fingerprint, at)) return mine(at);
    const found = await findAnswer(answers, place, at);
    if (!found) continue;
    if (found.fingerprint !== fingerprint) {
      throw problem(
        'idempotency-key-reused',
        'This Idempotency-Key was used with another query, body or Content-Type; use a new key for a new request',
      );
    }
    if (found.status !== undefined) return { kind: 'answered', answer: found };
    if (await answers.takeOver(found, at)) return mine(found.startedAt);
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
  current: IdempotencyTry,
  context: Context<ApiEnv>,
  next: Next,
): Promise<void> {
  await next();
  const { res } = context;
  if (!res.ok) {
    await answers.letGo(current, now());
    return;
  }
  const headers = Object.fromEntries(
    keptHeaders.flatMap((name) => {
      const value = res.headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  const body = seal(await res.clone().text(), secretOf(context));
  const stored = body.length > mostStored ? tooLong : body;
  await answers.keep(current, { status: res.status, headers, body: stored });
}

/** Stored in place of a body that is too long. */
const tooLong = 'too long';

function replay(context: Context, answer: KeptAnswer): Response {
  const { status = 200, headers = {} } = answer;
  const body = answer.body === undefined ? '' : openBody(answer.body, context);
  return context.newResponse(body === '' ? null : body, status as 200, {
    ...headers,
    'idempotent-replayed': 'true',
  });
}

function openBody(body: string, context: Context): string {
  if (body === tooLong) throw unstoredAnswer();
  try {
    return unseal(body, secretOf(context));
  } catch {
    throw damagedAnswer();
  }
}

function unstoredAnswer() {
  return problem(
    'idempotency-key-reused',
    'The first request with this Idempotency-Key succeeded, but its answer was too long to store; read what it made with GET',
  );
}
