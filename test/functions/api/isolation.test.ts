// One owner never sees, changes or infers another's things: a property over every operation.
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newDelivery } from '#shared/delivery/delivery.ts';
import { anAlert } from '#test/support/alerts.ts';
import { type Api, eventId, levelRule, startApi, startMs, statsAt } from '#test/support/api.ts';
import { aJob } from '#test/support/jobs.ts';

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document, walked by path
type Document = any;

const alertId = 'alt_00000000000000000000000000000001_1';
const deliveryId = 'dlv_00000000000000000000000000000001';
const jobId = `job_${'0123abcd'.repeat(4)}`;

let api: Api;
let calls = 0;
let operations: { method: string; path: string; bodies: unknown[] }[];
/** By the word in a path before the id: Ann's, and one that nobody has. */
let ids: Record<string, { anns: string; missing: string }>;

const unlike = (id: string) => id.replace(/[0-9a-f]{8}(?=(_\d+)?$)/, 'fedcba98');

beforeAll(async () => {
  api = await startApi({ requestLimit: { requests: 1_000_000, windowSeconds: 60 } });
  api.client.middlewareStack.add((next) => (args) => {
    calls += 1;
    return next(args);
  });
  const { ann, stores } = api;
  await stores.snapshots.createAll([statsAt(startMs, 100)], startMs);
  const { body: watch } = await api.call('/v1/watches', {
    body: { event_id: eventId, name: 'anns', rules: [levelRule(80)], channels: [ann.channelId] },
  });
  await stores.alerts.create(
    anAlert({ alertId, ownerId: ann.ownerId, watchId: watch.id, channelIds: [ann.channelId] }),
  );
  const { ownerId, channelId } = ann;
  const delivery = newDelivery(
    { deliveryId, purpose: 'alert', ownerId, channelId, channelKind: 'email' },
    { now: startMs },
  );
  await stores.deliveries.create({ ...delivery, status: 'failed', alertIds: new Set([alertId]) });
  await api.call('/v1/defaults', {
    method: 'PATCH',
    body: { channels: [channelId] },
    headers: { 'if-match': '*' },
  });
  await stores.jobs.create(aJob({ jobId, ownerId }));
  const known = {
    ...{ watches: watch.id, channels: channelId, alerts: alertId, deliveries: deliveryId },
    jobs: jobId,
  };
  ids = Object.fromEntries(
    Object.entries(known).map(([word, anns]) => [word, { anns, missing: unlike(anns) }]),
  );
  const document = (await api.call('/openapi.json', { key: '' })).body;
  operations = operationsIn(document);
  // The first use of a key is noted, which costs a write.
  await api.call('/v1/watches', { key: api.bob.key });
});

afterAll(() => api.stop());

function operationsIn(document: Document) {
  return Object.entries(document.paths as Record<string, Record<string, Document>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => {
        const examples = operation.requestBody?.content['application/json']?.examples ?? {};
        const bodies = Object.values(examples as Record<string, { value: unknown }>);
        return { method, path, bodies: bodies.map(({ value }) => value) };
      }),
  );
}

/** The operations on one owned thing. */
const onOneThing = () =>
  operations.filter(({ path }) => ids[path.split('/')[2] ?? ''] && /\{id\}/.test(path));

async function asBob(method: string, path: string, body: unknown) {
  const before = calls;
  const { status, text } = await api.call(path, {
    method: method.toUpperCase(),
    key: api.bob.key,
    ...(body !== undefined && { body }),
    headers: { 'if-match': '*' },
  });
  return { status, text, calls: calls - before };
}

/** Everything stored that is Ann's, but for the use of her key. */
async function annsThings(): Promise<string> {
  const { Items = [] } = await api.client.send(
    new ScanCommand({ TableName: api.names.WATCHLIST_TABLE }),
  );
  const anns = Items.filter(
    (item) => item.ownerId === api.ann.ownerId || String(item.pk).includes(api.ann.ownerId),
  );
  return JSON.stringify(
    anns
      .filter(({ entity }) => entity !== 'apiKey')
      .sort((a, b) => (`${a.pk}${a.sk}` < `${b.pk}${b.sk}` ? -1 : 1)),
    (_, value) => (value instanceof Set ? [...value] : value),
  );
}

describe('another owner’s thing', () => {
  it('is looked for on at least a dozen operations', () => {
    expect(onOneThing().length).toBeGreaterThan(12);
  });

  it('gets the answer of a missing one, word for word, after as many reads', async () => {
    for (const { method, path, bodies } of onOneThing()) {
      const { anns, missing } = ids[path.split('/')[2] ?? ''] ?? { anns: '', missing: '' };
      for (const body of bodies.length > 0 ? bodies : [undefined]) {
        const [others, none] = [
          await asBob(method, path.replace('{id}', anns), body),
          await asBob(method, path.replace('{id}', missing), body),
        ];
        expect(others, `${method} ${path}`).toEqual(none);
        expect(others.status, `${method} ${path}`).toBe(404);
      }
    }
  });

  it('cannot be named in a body or a query either', async () => {
    const { ann } = api;
    const watch = { event_id: eventId, rules: [levelRule(5)] };
    const namings: [string, string, unknown][] = [
      ['post', '/v1/watches', { ...watch, channels: ['CHANNEL'] }],
      ['post', '/v1/watchlist/import', { watches: [{ ...watch, channels: ['CHANNEL'] }] }],
      ['patch', '/v1/defaults', { channels: ['CHANNEL'] }],
      ['patch', '/v1/defaults', { tags: { a: { channels: ['CHANNEL'] } } }],
      [
        'post',
        '/v1/channels',
        { kind: 'email', address: 'bob@example.com', fallback_channel: 'CHANNEL' },
      ],
      ['patch', `/v1/channels/${api.bob.channelId}`, { fallback_channel: 'CHANNEL' }],
    ];
    for (const [method, path, body] of namings) {
      const naming = (channelId: string) =>
        asBob(method, path, JSON.parse(JSON.stringify(body).replace('CHANNEL', channelId)));
      const [others, none] = [await naming(ann.channelId), await naming(unlike(ann.channelId))];
      expect(others, `${method} ${path}`).toEqual(none);
      expect(others.status).toBe(400);
    }
    const { anns = '', missing = '' } = ids.alerts ?? {};
    const log = (id: string) => asBob('get', `/v1/deliveries?alert_id=${id}`, undefined);
    expect(await log(anns)).toEqual(await log(missing));
  });
});

describe('whatever one owner does', () => {
  it('shows nothing of the other’s and changes nothing of it', async () => {
    const before = await annsThings();
    const secrets = [
      api.ann.ownerId,
      api.ann.channelId,
      'anns',
      ...Object.values(ids).map(({ anns }) => anns),
    ];
    const action = fc.record({
      operation: fc.nat(),
      body: fc.nat(),
      target: fc.constantFrom('anns', 'missing', 'own' as const),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 8 }), async (actions) => {
        for (const { operation, body, target } of actions) {
          const chosen = operations[operation % operations.length];
          if (!chosen || chosen.path === '/openapi.json') continue;
          const { method, path, bodies } = chosen;
          const word = path.split('/')[2] ?? '';
          const id = target === 'own' ? api.bob.channelId : (ids[word]?.[target] ?? 'none');
          const filled = path.replace('{id}', id).replace('{event_id}', String(eventId));
          const { text } = await asBob(method, filled, bodies[body % Math.max(1, bodies.length)]);
          for (const secret of secrets) expect(text, `${method} ${path}`).not.toContain(secret);
        }
        expect(await annsThings()).toBe(before);
      }),
      { numRuns: 25, seed: 7 },
    );
  });
});
