/**
 * The path of every request: route, key, subscription, rate limit, request log, handler, answer.
 * Knows no endpoint.
 */
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { toHttpDate } from '../clock.ts';
import {
  BodyTooLargeError,
  MethodError,
  NotSubscribedError,
  OverLimitError,
  Refusal,
  UnavailableError,
} from '../errors.ts';
import { isLocked } from '../store/store.ts';
import { authenticate, refuseUnsubscribed } from './access.ts';
import { writeFault, writeRefusal } from './error-bodies.ts';
import { limitHeaders, type RequestFacts, readLimit, takeFromBucket } from './limit-headers.ts';
import { refuseOtherMethods } from './methods.ts';
import type { Call, Route, RouteAnswer, RouteOperation, Service } from './operation.ts';

const defaultMaxBodyBytes = 1_000_000;
const notFoundPage =
  '<!doctype html><html lang="en"><head><title>Not Found</title></head><body><h1>Not Found</h1></body></html>';

/** @param onFault called once for every internal fault, with the route where it happened */
export function createPipeline(
  service: Service,
  routes: readonly Route[],
  onFault: (error: unknown, route: string) => void,
): Hono {
  const app = new Hono({ strict: false });
  app.notFound((c) => c.html(notFoundPage, 404));
  for (const route of routes) mount({ app, service, route, onFault });
  for (const route of routes) refuseMethods({ app, service, route, routes });
  return app;
}

interface Mounted {
  service: Service;
  route: Route;
  onFault: (error: unknown, route: string) => void;
}

function mount(o: Mounted & { app: Hono }): void {
  const { operation } = o.route;
  const name = `${operation.method.toUpperCase()} ${operation.path}`;
  for (const path of pathsOf(operation)) {
    if (operation.body) o.app.use(path, limitBody(o.service, operation));
    o.app.on(operation.method, path, (c) => answerRequest(c, { ...o, name }));
  }
}

/**
 * The operation's path in Hono's syntax, with and without `/api`. An event id that is no integer
 * matches no route (api.md, Other rules). Without strict mode Hono drops the last slash of a
 * request, so a route must not have one.
 */
function pathsOf({ path }: RouteOperation): string[] {
  const pattern = path
    .replaceAll(/\{(\w+)\}/g, (_, name) => (name === 'event_id' ? ':event_id{[0-9]+}' : `:${name}`))
    .replace(/\/$/, '');
  return [pattern, `/api${pattern}`];
}

function refuseMethods(o: {
  app: Hono;
  service: Service;
  route: Route;
  routes: readonly Route[];
}): void {
  const { operation } = o.route;
  const methods = o.routes
    .filter((route) => route.operation.path === operation.path)
    .map((route) => route.operation.method);
  const refusal = new MethodError('this path does not take this method; see Allow');
  const refuse = (c: Context, allow: string) =>
    refuseUnread(c, o.service, { operation, refusal, headers: { allow } });
  for (const path of pathsOf(operation)) refuseOtherMethods(o.app, path, { methods, refuse });
}

function limitBody(service: Service, operation: RouteOperation) {
  const maxSize = operation.maxBodyBytes ?? defaultMaxBodyBytes;
  const refusal = new BodyTooLargeError(`the body is over ${maxSize} bytes; send less at once`);
  return bodyLimit({ maxSize, onError: (c) => refuseUnread(c, service, { operation, refusal }) });
}

/** Refuses a request before its key and body are checked; the rest of the body is not read. */
function refuseUnread(
  c: Context,
  service: Service,
  o: { operation: RouteOperation; refusal: Refusal; headers?: HeaderRecord },
): Response {
  const { operation, refusal } = o;
  const headers = {
    ...o.headers,
    ...limitHeaders(service, { operation, now: service.clocks.real() }),
  };
  if (c.req.raw.body) headers.connection = 'close';
  return send(service, { operation, answer: writeRefusal(refusal, operation.errors, ''), headers });
}

async function answerRequest(c: Context, o: Mounted & { name: string }): Promise<Response> {
  const { service, route } = o;
  const { operation } = route;
  const asked: RequestFacts = { operation, now: service.clocks.real() };
  let refused: Refused | undefined;
  let answer: RouteAnswer;
  try {
    const call = await admit(c, o, asked);
    const isHead = c.req.method === 'HEAD';
    answer = isHead ? rehearse(service, () => route.handle(call)) : route.handle(call);
  } catch (error) {
    refused = refuse(c, error, { ...o, asked });
    answer = refused.answer;
  }
  const headers = limitHeaders(service, asked);
  // Without a bucket, a 429 means too many unfinished jobs.
  const isFull = answer.status === 429 && !operation.bucket;
  const retryAfter = isFull ? (readLimit(service, asked)?.resetSeconds ?? 1) : refused?.retryAfter;
  if (retryAfter !== undefined) headers['retry-after'] = String(Math.max(1, retryAfter));
  // Requests that arrived together are all worked on before the first answer is written. Written one by
  // one, each answer wakes a client that waits, which took 50 of the 140 microseconds of a page.
  await setImmediate();
  return send(service, { operation, answer, headers });
}

/** Does the work and rolls it back, in the store and in the request log. */
function rehearse(service: Service, work: () => RouteAnswer): RouteAnswer {
  service.requestLog.flush();
  try {
    return service.store.rehearse(work);
  } finally {
    service.requestLog.forget();
  }
}

/** Authenticates the caller and counts the call. @throws Refusal */
async function admit(
  c: Context,
  o: Mounted & { name: string },
  asked: RequestFacts,
): Promise<Call> {
  const { service } = o;
  const { operation, now } = asked;
  const account = authenticate(service.store, {
    authorization: c.req.header('authorization'),
    apiKey: c.req.header('api-key'),
  });
  asked.accountId = account.id;
  refuseUnsubscribed(account, operation.access);
  takeFromBucket(service, asked);
  service.requestLog.note({ accountId: account.id, endpoint: o.name, at: now });
  return {
    service,
    account,
    now,
    query: c.req.query(),
    param: (name) => c.req.param(name) ?? '',
    body: operation.body ? await readJson(c) : undefined,
  };
}

async function readJson(c: Context): Promise<unknown> {
  try {
    return JSON.parse(await c.req.text());
  } catch {
    return undefined;
  }
}

/** An error's answer, and the seconds to wait where waiting helps. */
interface Refused {
  answer: RouteAnswer;
  retryAfter?: number;
}

function refuse(
  c: Context,
  error: unknown,
  o: { name: string; asked: RequestFacts; onFault: Mounted['onFault'] },
): Refused {
  const { operation } = o.asked;
  if (isLocked(error)) {
    const busy = new UnavailableError('the data is being written; try again in some seconds');
    return refuse(c, busy, o);
  }
  if (!(error instanceof Refusal)) {
    o.onFault(error, o.name);
    return { answer: writeFault(operation.errors) };
  }
  const topUpUrl = `http://${c.req.header('host') ?? 'localhost'}/top-up`;
  const answer = writeRefusal(error, operation.errors, topUpUrl);
  if (error instanceof OverLimitError || error instanceof UnavailableError) {
    return { answer, retryAfter: error.retryAfterSeconds };
  }
  // The daily CSV answers 401 for a missing subscription (facts.md, daily CSV errors).
  const isUnsubscribedCsv = error instanceof NotSubscribedError && operation.access === 'csv';
  return { answer: isUnsubscribedCsv ? { ...answer, status: 401 } : answer };
}

/** Names in lower case, with their values. */
type HeaderRecord = Record<string, string>;

/** HeaderRecord stay a plain record up to the socket: a `Headers` object costs as much as a small page. */
function send(
  { clocks }: Service,
  {
    operation,
    answer,
    headers,
  }: { operation: RouteOperation; answer: RouteAnswer; headers: HeaderRecord },
): Response {
  const { status, type, body } = answer;
  headers['content-type'] = type;
  // The clock of the observations' timestamps: a client compares its own clock with it.
  headers.date = toHttpDate(clocks.market());
  if (!operation.gzip) return new Response(body, { status, headers });
  headers['content-encoding'] = 'gzip';
  return new Response(gzipSync(body, { level: 1 }), { status, headers });
}
