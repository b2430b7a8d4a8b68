// The API over real tables, for tests that call it as a client does: two owners with keys, a fake clock,
// one channel each.

import type { ApiDeps } from '#functions/api/api-deps.ts';
import { createApp } from '#functions/api/app.ts';
import { composeApi } from '#functions/api/compose-api.ts';
import { refusalsOf } from '#functions/api/document/refusals.ts';
import { createOperationFinder } from '#functions/api/matched-operation.ts';
import { canRevalidate, type OperationFacts } from '#functions/api/operation.ts';
import { part as wholeApi } from '#functions/api/parts/whole.ts';
import type { Channel } from '#shared/delivery/channel.ts';
import { createLinks } from '#shared/delivery/links.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { sendersByKind } from '#shared/lambda/channel-senders.ts';
import { costliest } from '#shared/polling/assumptions.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import { type ApiKey, createApiKey } from '#shared/watchlist/api-key.ts';
import type { JobMessage } from '#shared/watchlist/job.ts';
import { postTo } from './receivers/receiver.ts';
import { EmulatedTelegram } from './receivers/telegram.ts';
import { startTestTables, type TestTables } from './tables.ts';
import { telegramUrl, botSecret as usualBotSecret } from './telegram.ts';

export const startMs = Date.parse('2026-03-01T12:00:00Z');
export const adminKey = `getin_${'a'.repeat(64)}`;
export const eventId = 4711;
/** Signs the links of the API. */
export const linkSecret = async () => 'a secret of links';
const publicUrl = 'https://getin.example';
/** Links as the API signs them. */
export const signedLinks = createLinks(linkSecret, publicUrl);
/** The If-Match header for a change of any version. */
export const anyVersion = { 'if-match': '*' };

export interface Person {
  ownerId: string;
  key: string;
  channelId: string;
}

let finder: ReturnType<typeof createOperationFinder> | undefined;

type Sent = { method?: string; body?: unknown; headers?: Record<string, string>; key?: string };

/** The parts of an answer that a client sees. */
export interface Answered {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a body of any shape, walked by its test
  body: any;
  text: string;
}

/** Starts tables and the API over them. `also` replaces dependencies of the API, `wrapStores` wraps the
 * stores between it and the tables. */
export async function startApi(
  also: Partial<ApiDeps> = {},
  wrapStores: (stores: Stores, tables: TestTables) => Stores = (stores) => stores,
  { botSecret = usualBotSecret }: { botSecret?: string } = {},
) {
  const tables = await startTestTables();
  const stores = wrapStores(tables.stores, tables);
  const clock = { now: startMs };
  const logged: { message: string; fields: Record<string, unknown> }[] = [];
  const nudges: unknown[] = [];
  const jobs: JobMessage[] = [];
  const note = (message: unknown, ...fields: unknown[]) => {
    logged.push({ message: String(message), fields: (fields[0] ?? {}) as Record<string, unknown> });
  };
  const deliveries: unknown[] = [];
  const telegram = new EmulatedTelegram();
  const enqueue = async (messages: readonly { body: unknown }[]) => {
    deliveries.push(...messages.map(({ body }) => body));
  };
  const deps: ApiDeps = {
    ...composeApi({
      stores,
      readMarketplace: async () => {
        throw new Error('this API has no marketplace');
      },
      pullCaps: { daily: 500, monthly: 10_000 },
      assumptions: costliest,
      sendNudges: async (messages) => {
        nudges.push(...messages.map(({ body }) => body));
      },
      sendJobs: async (messages) => {
        jobs.push(...messages.map(({ body }) => body as JobMessage));
      },
      senders: sendersByKind({ email: enqueue, webhook: enqueue }),
      readLinkSecret: linkSecret,
      readBotSecret: async () => botSecret,
      botApi: { url: telegramUrl, post: postTo(telegram, () => clock.now) },
      readAdminSecret: async () => JSON.stringify({ prefix: 'getin_', secret: 'a'.repeat(64) }),
      publicUrl,
      outbound: { loopback: 'refused' },
      logger: { info: note, error: note },
      now: () => clock.now,
      wait: () => new Promise((resolve) => setImmediate(resolve)),
    }),
    searchEvents: async () => ({ events: [], source: 'marketplace', readAt: startMs }),
    resolveEvent: async () => {
      throw new Error('this API looks no ids up');
    },
    lookUpEvent: async () => ({ pulls: 0 }),
    ...also,
  };
  const app = createApp(deps, wholeApi);
  // What the document says of an operation is the same for each API.
  finder ??= createOperationFinder(wholeApi.operations(deps));
  const { operationAt } = finder;

  async function call(path: string, sent: Sent = {}): Promise<Answered> {
    const { method = sent.body === undefined ? 'GET' : 'POST', body, key = ann.key } = sent;
    const isText = typeof body === 'string';
    const response = await app.request(path, {
      method,
      headers: {
        ...(key !== '' && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...sent.headers,
      },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    });
    const operation = operationAt(app, method, path.split('?')[0] ?? '');
    if (operation) requireDocumented(operation, response.status);
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text !== '' ? JSON.parse(text) : undefined,
      text,
    };
  }

  const ann = await createPerson(tables, '1');
  const bob = await createPerson(tables, '2');
  return {
    ...tables,
    deps,
    app,
    call,
    clock,
    logged,
    nudges,
    jobs,
    deliveries,
    telegram,
    ann,
    bob,
  };
}

export type Api = Awaited<ReturnType<typeof startApi>>;

/** @throws Error for a status that the document does not name: the answer or the document is wrong. */
function requireDocumented(operation: OperationFacts, status: number): void {
  const named = [
    operation.answer.status,
    ...(operation.accepted ? [202] : []),
    ...(canRevalidate(operation) ? [304] : []),
    ...refusalsOf(operation).map((refusal) => refusal.status),
  ];
  if (named.includes(status)) return;
  const { method, path } = operation;
  throw new Error(`${method} ${path} answers ${status}; its document names ${named}`);
}

async function createPerson({ stores }: TestTables, digit: string): Promise<Person> {
  const ownerId = `own_${digit.repeat(32)}`;
  const channelId = `ch_${digit.repeat(32)}`;
  const createdAt = new Date(startMs).toISOString();
  await stores.access.createOwner({ ownerId, name: `person ${digit}`, createdAt });
  await stores.channels.create(aChannel(channelId, ownerId));
  return { ownerId, channelId, key: await createKey({ stores }, ownerId, 'write') };
}

/** The body of a valid watch of `ann`. */
export function watchBody(api: Api, also: Record<string, unknown> = {}) {
  const rules = [levelRule(80)];
  return { event_id: eventId, rules, channels: [api.ann.channelId], ...also };
}

/** A confirmed email channel. */
export function aChannel(channelId: string, ownerId: string): Channel {
  return {
    channelId,
    ownerId,
    target: { kind: 'email', address: 'ann@example.com' },
    status: 'active',
    isImmediate: false,
    staleAlerts: 'send',
    watchesSilentUntil: {},
    stopUrl: 'https://getin.example/stop',
    createdAt: new Date(startMs).toISOString(),
  };
}

let made = 0;

/** An API key of an owner. */
export async function createKey(
  { stores }: Pick<TestTables, 'stores'>,
  ownerId: string,
  scope: ApiKey['scope'],
): Promise<string> {
  made += 1;
  const { key, hash, hint } = createApiKey();
  const keyId = `key_${String(made).padStart(32, '0')}`;
  const createdAt = new Date(startMs).toISOString();
  await stores.apiKeys.create({ hash, hint, keyId, ownerId, name: 'test', scope, createdAt });
  return key;
}

/** Stats of the event at a time, get-in in dollars. */
export function statsAt(
  observedAt: number,
  getIn: number | null,
  zones: Record<string, number> = {},
): MarketSnapshot {
  const cents = getIn === null ? null : Math.round(getIn * 100);
  const prices = (value: number | null) => ({
    get_in: value,
    get_in_qty2plus: value,
    avg_price: value,
    median_price: value,
  });
  return {
    feedKind: 'stats',
    eventId,
    observedAt,
    metrics: {
      ...prices(cents),
      total_listings_active: getIn === null ? 0 : 50,
      listing_fill_rate: 4_000,
    },
    zones: Object.fromEntries(
      Object.entries(zones).map(([zone, dollars]) => [zone, prices(Math.round(dollars * 100))]),
    ),
  };
}

/** A level rule on the whole event. */
export const levelRule = (atOrBelow: unknown) => ({
  type: 'level',
  metric: 'get_in',
  at_or_below: atOrBelow,
});
