// The OpenAPI document: what it says is what the API does.
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { exampleIds } from '#functions/api/document/example-ids.ts';
import { exampleRecovery, exampleWebhook } from '#functions/api/document/example-webhook.ts';
import { ofDeletions } from '#functions/api/owner/begin-deletion.ts';
import type { Channel } from '#shared/delivery/channel.ts';
import { newDelivery } from '#shared/delivery/delivery.ts';
import { webhookPayloadSchema } from '#shared/delivery/message/webhook-payload.ts';
import { hashSecretToken } from '#shared/watchlist/secret-token.ts';
import { anAlert } from '#test/support/alerts.ts';
import { type Api, aChannel, createKey, startApi, startMs, statsAt } from '#test/support/api.ts';
import { contrast } from '#test/support/contrast.ts';
import { aJob } from '#test/support/jobs.ts';
import { webhookSecret } from '#test/support/telegram.ts';

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document, walked by path
type Document = any;

let api: Api;
let document: Document;

beforeAll(async () => {
  api = await startApi({ requestLimit: { requests: 100_000, windowSeconds: 60 } });
  document = (await api.call('/openapi.json', { key: '' })).body;
});

afterAll(() => api.stop());

interface Place {
  path: string;
  method: string;
  operation: Document;
}

const places = (): Place[] =>
  Object.entries(document.paths as Record<string, Record<string, Document>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

describe('/openapi.json', () => {
  it('is OpenAPI 3.1, and refers only to what it holds', () => {
    expect(document.openapi).toBe('3.1.0');
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(100);
    for (const [, path = ''] of references) {
      let target = document;
      for (const part of path.split('/')) target = target?.[part];
      expect(target, path).toBeTypeOf('object');
    }
  });

  it('names every operation once, with its key, its refusals and its request id', () => {
    const ids = places().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(35);
    for (const { path, method, operation } of places()) {
      const statuses = Object.keys(operation.responses);
      const name = `${method} ${path}`;
      if (operation.security.length > 0) expect(statuses, name).toContain('401');
      if (path.includes('{')) expect(statuses, name).toContain('404');
      for (const response of Object.values(operation.responses as Record<string, Document>)) {
        expect(Object.keys(response.headers), name).toContain('X-Request-Id');
      }
    }
  });

  it('describes the rule language with examples', () => {
    const { LevelRule, Rule } = document.components.schemas;
    expect(LevelRule.examples).toHaveLength(2);
    expect(LevelRule.additionalProperties).toBe(false);
    expect((Rule.oneOf ?? Rule.anyOf).map((form: Document) => form.$ref)).toContain(
      '#/components/schemas/ListingRule',
    );
  });

  it('describes what webhooks are sent, by an example that is one', () => {
    for (const example of [exampleWebhook, exampleRecovery]) {
      const { requestBody } = document.webhooks[example.type].post;
      const { examples } = requestBody.content['application/json'];
      expect(examples.usual.value).toEqual(example);
      expect(webhookPayloadSchema.safeParse(example).success).toBe(true);
    }
  });
});

/** Everything that the examples speak of, fresh: some of them delete it. */
async function seed(channel: Partial<Channel> = {}): Promise<void> {
  const { ownerId } = api.ann;
  const { stores } = api;
  for (const watch of await stores.watches.listAll(ownerId)) {
    await api.call(`/v1/watches/${watch.watchId}`, {
      method: 'DELETE',
      headers: { 'if-match': '*' },
    });
  }
  await stores.watches.remove(exampleIds.watch);
  await stores.channels.remove(exampleIds.channel);
  await stores.channels.create({ ...aChannel(exampleIds.channel, ownerId), ...channel });
  await stores.snapshots.createAll([statsAt(startMs, 100, { 'Lower Bowl': 100 })], startMs);
  const createdAt = new Date(startMs).toISOString();
  await stores.access.createOwner({ ownerId: exampleIds.owner, name: 'example', createdAt });
  const key = { hash: hashSecretToken(exampleIds.key), keyId: exampleIds.apiKey };
  await stores.apiKeys.remove(key);
  await stores.apiKeys.create({
    ...key,
    ownerId: exampleIds.owner,
    name: 'example',
    scope: 'read',
    createdAt,
  });
  await stores.sessions.offerLink({
    hash: hashSecretToken(exampleIds.signInLink),
    keyHash: key.hash,
    expiresAt: startMs + 60_000,
  });
  await stores.watches.create({
    watchId: exampleIds.watch,
    ownerId,
    eventId: exampleIds.event,
    rules: [
      {
        ruleId: exampleIds.rule,
        rule: { type: 'fill_rate', at_or_above: 60 },
        triggerIds: ['trg_0193f0c2a7b97c0e8f0e4d1a2b3c4d5e'],
      },
    ],
    channelIds: [exampleIds.channel],
    status: 'active',
    latencySeconds: 60,
    version: 1,
    createdAt,
    updatedAt: createdAt,
  });
  await stores.jobs.create(aJob({ jobId: exampleIds.job, ownerId }));
  const options = { work: { action: { type: 'pause' } }, by: { way: 'request' }, dry_run: false };
  await stores.jobs.create(
    aJob({
      ...{ jobId: exampleIds.bulkRun, ownerId, kind: 'bulk_change', state: 'done' },
      ...{ options, inputLots: 0, total: 0 },
    }),
  );
  await stores.jobs.create(
    aJob({ jobId: exampleIds.deletion, ownerId: ofDeletions, kind: 'deletion' }),
  );
  await seedAlert();
}

async function seedAlert(): Promise<void> {
  const { ownerId } = api.ann;
  const { stores } = api;
  const { watch: watchId, rule: ruleId, alert: alertId, channel: channelId } = exampleIds;
  await stores.alerts.create(
    anAlert({ alertId, ownerId, watchId, ruleId, channelIds: [channelId] }),
  );
  await api.client.send(
    new DeleteCommand({
      TableName: api.names.WATCHLIST_TABLE,
      Key: { pk: `DELIVERY#${exampleIds.delivery}`, sk: 'DELIVERY' },
    }),
  );
  const { delivery: deliveryId } = exampleIds;
  const delivery = newDelivery(
    { deliveryId, purpose: 'alert', ownerId, channelId, channelKind: 'email' },
    { now: startMs },
  );
  await stores.deliveries.create({ ...delivery, status: 'failed', alertIds: new Set([alertId]) });
}

/** Channels in the state that an operation is for. */
const channelFor: Record<string, Partial<Channel>> = {
  // An address of its own: each gets one confirmation mail a minute, whatever channel it is for.
  '/v1/channels/{id}/confirmation': {
    status: 'unverified',
    target: { kind: 'email', address: 'confirm@example.com' },
  },
  '/v1/channels/{id}/link': { status: 'unverified', target: { kind: 'telegram' } },
  '/v1/channels/{id}/unblock': {
    status: 'disabled',
    disabledReason: 'address_bounce',
    target: { kind: 'email', address: 'unblock@example.com' },
  },
  '/v1/channels/{id}/secret': {
    target: {
      kind: 'webhook',
      url: 'https://example.com/hook',
      secrets: [{ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', expiresAt: null }],
    },
  },
};

/** Headers beside the key's. */
const headersFor: Record<string, Record<string, string>> = {
  'post /v1/sessions': { 'sec-fetch-site': 'same-origin' },
  'post /telegram/updates': { 'x-telegram-bot-api-secret-token': webhookSecret },
};

/** Queries of operations that are refused on the seeded watchlist without one. */
const queryFor: Record<string, string> = { 'delete /v1/channels/{id}': '?force=true' };

/** Owners as which an operation is asked, where the usual one must stay. */
const ownerFor: Record<string, string> = { 'delete /v1/owner': exampleIds.owner };

interface Replay extends Place {
  name: string;
  body?: RequestInit['body'];
}

/** An example's value as a body of each type. */
const bodyAs: Record<string, (value: object) => NonNullable<RequestInit['body']>> = {
  'text/csv': (value) => new Blob([String(value)], { type: 'text/csv' }),
  'application/json': (value) => new Blob([JSON.stringify(value)], { type: 'application/json' }),
  'application/x-www-form-urlencoded': (value) => new URLSearchParams(Object.entries(value)),
  'multipart/form-data': (value) => {
    const form = new FormData();
    for (const [name, text] of Object.entries(value)) form.append(name, text);
    return form;
  },
};

/** Every operation with each of its examples, or once without a body. */
function replays(): Replay[] {
  return places().flatMap((place) => {
    const content = (place.operation.requestBody?.content ?? {}) as Record<string, Document>;
    const media = Object.entries(content);
    if (media.length === 0) return [{ ...place, name: 'no body' }];
    return media.flatMap(([type, { examples = {} }]) =>
      Object.entries(examples as Record<string, { value: object }>).map(([name, { value }]) => ({
        ...place,
        name: `${name}, ${type}`,
        body: bodyAs[type]?.(value),
      })),
    );
  });
}

/** The path with its parameters' own examples. */
function filled({ path, operation }: Place): string {
  const parameters = (operation.parameters ?? []) as Document[];
  return path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    String(
      parameters.find((parameter) => parameter.name === name && parameter.in === 'path').example,
    ),
  );
}

/** The schema of an answer as one that stands alone. */
function standalone(schema: Document): z.ZodType {
  const text = JSON.stringify({ ...schema, $defs: document.components.schemas });
  return z.fromJSONSchema(JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')));
}

describe('examples', () => {
  it('stand beside every operation that takes a body', () => {
    const bare = places().filter(({ operation }) => {
      const content = Object.values((operation.requestBody?.content ?? {}) as Document);
      return content.some((media) => (media as Document).examples === undefined);
    });
    expect(bare.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  it('are answered as the document says, each on a fresh watchlist', async () => {
    const usual = await createKey(api, api.ann.ownerId, 'admin');
    for (const replay of replays()) {
      const { method, path, operation, name, body } = replay;
      await seed(channelFor[path]);
      const other = ownerFor[`${method} ${path}`];
      const key = other === undefined ? usual : await createKey(api, other, 'write');
      const answer = await api.app.request(
        `${filled(replay)}${queryFor[`${method} ${path}`] ?? ''}`,
        {
          method: method.toUpperCase(),
          headers: {
            ...{ authorization: `Bearer ${key}`, 'if-match': '*' },
            ...headersFor[`${method} ${path}`],
          },
          ...(body !== undefined && { body }),
        },
      );
      const text = await answer.text();
      const [status = '', response] = Object.entries(operation.responses as Document)[0] as [
        string,
        Document,
      ];
      const label = `${method} ${path} (${name}): ${text.slice(0, 400)}`;
      expect(String(answer.status), label).toBe(status);
      const schema = response.content?.['application/json']?.schema;
      if (schema) {
        const parsed = standalone(schema).safeParse(JSON.parse(text));
        expect(parsed.error?.issues ?? [], label).toEqual([]);
      }
    }
  }, 60_000);

  it('of rules are rules: each can be watched', async () => {
    const schemas = Object.entries(document.components.schemas as Record<string, Document>);
    const rules = schemas
      .filter(([name]) => name.endsWith('Rule') && name !== 'Rule')
      .flatMap(([, schema]) => schema.examples as unknown[]);
    expect(rules.length).toBeGreaterThan(8);
    await seed();
    for (const [index, rule] of rules.entries()) {
      const { status, text } = await api.call('/v1/watches', {
        body: {
          event_id: 1_000 + index,
          rules: [rule],
          channels: [exampleIds.channel],
        },
      });
      expect(status, `${JSON.stringify(rule)}: ${text}`).toBe(201);
    }
  });
});

describe('/docs', () => {
  it('names its methods in colours that can be read, light and dark (A20)', async () => {
    const { text } = await api.call('/docs', { key: '' });
    const colours = [...text.matchAll(/\.(\w+)\{color:light-dark\((#\w{6}),(#\w{6})\)\}/g)];
    expect(colours.map(([, method]) => method)).toEqual(['get', 'post', 'put', 'delete']);
    for (const [, , light = '', dark = ''] of colours) {
      expect(contrast(light, '#ffffff')).toBeGreaterThanOrEqual(4.5);
      expect(contrast(dark, '#1c1b22')).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('shows every operation and schema, with no script and nothing from elsewhere', async () => {
    const { status, headers, text } = await api.call('/docs', { key: '' });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-/,
    );
    for (const { path, operation } of places()) {
      expect(text).toContain(`id="${operation.operationId}"`);
      expect(text).toContain(`<code>${path}</code>`);
    }
    for (const [name, schema] of Object.entries<Document>(document.components.schemas)) {
      // A list of values is shown beside the fields that have them.
      if (schema.enum === undefined) expect(text).toContain(`id="schema-${name}"`);
    }
    expect(text).not.toMatch(
      /<(?:script|link|base|iframe|object|embed|form)\b|\bsrc=|@import|url\(/,
    );
    const anchors = new Set([...text.matchAll(/id="([^"]+)"/g)].map(([, id]) => id));
    const links = [...text.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
    expect(links.filter((href) => !href?.startsWith('#'))).toEqual(['/openapi.json']);
    const missing = links.filter((href) => href?.startsWith('#') && !anchors.has(href.slice(1)));
    expect(missing).toEqual([]);
  });

  it('names no host but those of examples, and those that are the default of a field', async () => {
    const { text } = await api.call('/docs', { key: '' });
    const defaults = [...JSON.stringify(document).matchAll(/"default":"https?:\/\/([^"/]+)/g)];
    const named = new Set([...text.matchAll(/https?:\/\/([\w.-]+)/g)].map(([, host]) => host));
    for (const [, host] of defaults) named.delete(host);
    expect([...named].filter((host) => !/^(?:.+\.)?example\.com$/.test(String(host)))).toEqual([]);
  });
});
