/**
 * The one way a request goes: route, key, subscription, rate limit, request log, handler, answer.
 * Knows no endpoint.
 */
import { gzipSync } from 'node:zlib';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { logRequest } from '../billing/usage.ts';
import { InvalidParamError, RateLimitedError, Refusal, SubscriptionError } from '../errors.ts';
import { type RateLimitState, refuseOverLimit } from '../rate-limits.ts';
import { authenticate, refuseUnsubscribed } from './access.ts';
import { writeFault, writeRefusal } from './error-bodies.ts';
import type { Answer, Operation, Route, Service } from './operation.ts';

const defaultMaxBodyBytes = 1_000_000;
const notFoundPage =
  '<!doctype html><html lang="en"><head><title>Not Found</title></head><body><h1>Not Found</h1></body></html>';

/** @param onFault told of every fault of ours, once, with the route it happened on */
export function createPipeline(
  service: Service,
  routes: readonly Route[],
  onFault: (error: unknown, route: string) => void,
): Hono {
  const app = new Hono({ strict: false });
  app.notFound((c) => c.html(notFoundPage, 404));
  for (const route of routes) mount({ app, service, route, onFault });
  return app;
}

function mount(o: {
  app: Hono;
  service: Service;
  route: Route;
  onFault: (error: unknown, route: string) => void;
}): void {
  const { operation } = o.route;
  // A non-integer event id is no route at all (api.md, Other rules). Hono drops the last slash of a
  // request when it isn't strict, so a route must not have one.
  const path = operation.path
    .replaceAll(/\{(\w+)\}/g, (_, name) => (name === 'event_id' ? ':event_id{[0-9]+}' : `:${name}`))
    .replace(/\/$/, '');
  const name = `${operation.method.toUpperCase()} ${operation.path}`;
  const answer = (c: Context) => answerRequest(c, { ...o, name });
  for (const prefix of ['', '/api']) {
    if (operation.body) o.app.use(`${prefix}${path}`, limitBody(operation));
    o.app.on(operation.method, `${prefix}${path}`, answer);
  }
}

function limitBody(operation: Operation) {
  const maxSize = operation.maxBodyBytes ?? defaultMaxBodyBytes;
  const refusal = new InvalidParamError(`the body is over ${maxSize} bytes`, 'body');
  return bodyLimit({
    maxSize,
    onError: (c) => send(c, writeRefusal(refusal, operation.errors, ''), operation),
  });
}

async function answerRequest(
  c: Context,
  o: {
    service: Service;
    route: Route;
    name: string;
    onFault: (error: unknown, route: string) => void;
  },
): Promise<Response> {
  const { service, route, name } = o;
  const { operation } = route;
  const origin = `http://${c.req.header('host') ?? 'localhost'}`;
  try {
    const now = service.clocks.real();
    const account = authenticate(service.store, {
      authorization: c.req.header('authorization'),
      apiKey: c.req.header('api-key'),
    });
    refuseUnsubscribed(account, operation.access);
    takeFromBucket(c, service, { operation, accountId: account.id, now });
    logRequest(service.store, { accountId: account.id, endpoint: name, at: now });
    const body = operation.body ? await readJson(c) : undefined;
    const param = (key: string) => c.req.param(key) ?? '';
    const call = { service, account, now, origin, query: c.req.query(), param, body };
    return send(c, route.handle(call), operation);
  } catch (error) {
    if (!(error instanceof Refusal)) {
      o.onFault(error, name);
      return send(c, writeFault(operation.errors), operation);
    }
    return send(c, refuse(c, error, { operation, origin }), operation);
  }
}

function takeFromBucket(
  c: Context,
  service: Service,
  o: { operation: Operation; accountId: number; now: number },
): void {
  if (!o.operation.bucket) return;
  const state = service.limiter.take(o.accountId, o.operation.bucket, o.now);
  setRateLimitHeaders(c, state);
  refuseOverLimit(state);
}

function setRateLimitHeaders(c: Context, state: RateLimitState): void {
  c.header('RateLimit-Limit', String(state.limit));
  c.header('RateLimit-Remaining', String(state.remaining));
  c.header('RateLimit-Reset', String(state.resetSeconds));
}

async function readJson(c: Context): Promise<unknown> {
  try {
    return JSON.parse(await c.req.text());
  } catch {
    return undefined;
  }
}

function refuse(c: Context, refusal: Refusal, o: { operation: Operation; origin: string }): Answer {
  if (refusal instanceof RateLimitedError) {
    c.header('Retry-After', String(refusal.retryAfterSeconds));
  }
  const answer = writeRefusal(refusal, o.operation.errors, `${o.origin}/top-up`);
  // The daily CSV says a missing subscription with 401 (facts.md, daily CSV errors).
  const unsubscribedCsv = refusal instanceof SubscriptionError && o.operation.access === 'csv';
  return unsubscribedCsv ? { ...answer, status: 401 } : answer;
}

function send(c: Context, answer: Answer, operation: Operation): Response {
  c.status(answer.status as Parameters<Context['status']>[0]);
  c.header('Content-Type', answer.type);
  if (!operation.gzip) return c.body(answer.body);
  c.header('Content-Encoding', 'gzip');
  return c.body(gzipSync(answer.body, { level: 1 }));
}
