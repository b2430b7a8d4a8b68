// What generators of clients need from the document, so that their clients build and read well.
import { beforeAll, describe, expect, it } from 'vitest';
import { webhookSchemaOf } from '#shared/delivery/message/webhook-payload.ts';
import { webhookTypes } from '#shared/delivery/message/webhook-types.ts';
import { openMarket } from '#test/marketplace/support/market.ts';
import { startApi } from '#test/support/api.ts';

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document, walked by path
type Document = any;

let document: Document;

beforeAll(async () => {
  const api = await startApi();
  document = (await api.call('/openapi.json', { key: '' })).body;
  return () => api.stop();
});

/** Every object within a value, with its place. */
function objectsIn(value: unknown, at = '#'): [string, Record<string, unknown>][] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Object.entries(value).flatMap(([key, part]) => objectsIn(part, `${at}/${key}`));
  return [[at, value as Record<string, unknown>], ...own];
}

describe('the document', () => {
  it('names each operation once, as a function would be named', () => {
    const ids = Object.entries<Document>(document.paths).flatMap(([path, methods]) =>
      Object.entries<Document>(methods).map(([method, { operationId }]) => [
        `${method} ${path}`,
        operationId,
      ]),
    );
    expect(new Set(ids.map(([, id]) => id)).size).toBe(ids.length);
    expect(Object.fromEntries(ids)).toMatchObject({
      'get /v1/watches': 'listWatches',
      'post /v1/watches': 'createWatch',
      'get /v1/watches/{id}': 'getWatch',
      'patch /v1/watches/{id}': 'changeWatch',
      'delete /v1/watches/{id}': 'deleteWatch',
      'post /v1/watches/{id}/pause': 'pauseWatch',
      'post /v1/deliveries/{id}/replay': 'replayDelivery',
      'get /v1/events/{event_id}/history': 'getEventHistory',
      'post /v1/channels/{id}/secret': 'rotateChannelSecret',
      'get /v1/defaults': 'getDefaults',
    });
    for (const [, id] of ids) expect(id).toMatch(/^[a-z]+([A-Z][a-z]+)*$/);
  });

  it('says that every integer may have 64 bits, without JavaScript’s own bounds', () => {
    const schemas = objectsIn(document.components.schemas);
    const integers = schemas.filter(([, { type }]) => type === 'integer');
    expect(integers.length).toBeGreaterThan(50);
    for (const [at, { format, maximum, minimum }] of integers) {
      expect([at, format]).toEqual([at, 'int64']);
      expect([maximum, minimum]).not.toContain(Number.MAX_SAFE_INTEGER);
    }
  });

  it('has no schema with a name of the marketplace’s, because one process may write both documents', async () => {
    const market = await openMarket().request('/openapi.json');
    const others = Object.keys(((await market.json()) as Document).components.schemas);
    expect(others.length).toBeGreaterThan(30);
    const own = new Set(Object.keys(document.components.schemas));
    expect(others.filter((name) => own.has(name))).toEqual([]);
  });

  it('has no schema whose name is another’s constructor in Go', () => {
    const names = new Set(Object.keys(document.components.schemas));
    expect([...names].filter((name) => names.has(`New${name}`))).toEqual([]);
  });

  it('names every object among which a value chooses', () => {
    const nameless = objectsIn(document.components.schemas).filter(([, { oneOf, anyOf }]) => {
      const choices = [oneOf, anyOf].find(Array.isArray) ?? [];
      const objects = choices.filter(({ type, $ref }: Document) => type === 'object' || $ref);
      return objects.length > 1 && objects.some(({ $ref }: Document) => $ref === undefined);
    });
    expect(nameless.map(([at]) => at)).toEqual([]);
  });

  it('says by which field a value chooses, and which of its values is which schema', () => {
    const { schemas } = document.components;
    const chosen = Object.entries<Document>(schemas).filter(([, { oneOf = [] }]) => oneOf[0]?.$ref);
    // The messages are told apart by a number, which OpenAPI has no mapping for.
    const unions = chosen.filter(([name]) => !name.endsWith('Message'));
    expect(unions.map(([name]) => name)).toEqual(
      expect.arrayContaining(['Rule', 'Condition', 'Baseline', 'ChannelRequest']),
    );
    for (const [name, { oneOf, discriminator }] of unions) {
      const { propertyName, mapping } = discriminator;
      const schemaAt = (ref: string) => schemas[ref.replace('#/components/schemas/', '')];
      const told = oneOf.flatMap(({ $ref }: { $ref: string }) => {
        const values = schemaAt(schemaAt($ref).properties[propertyName].$ref).enum;
        return values.map((value: string) => [value, $ref]);
      });
      expect(mapping, name).toEqual(Object.fromEntries(told));
    }
    const named = Object.values<Document>(schemas).flatMap((schema) => schema.enum ?? []);
    expect(new Set(named).size, 'a constant of Go is in one schema').toBe(named.length);
  });

  it('writes constants as lists, numbers in 64 bits, and no pattern beside a date', () => {
    const all = objectsIn(document);
    const schemas = all.filter(([at]) => !/\/(examples|properties)(\/|$)[^/]*$/.test(at));
    expect(schemas.filter(([, schema]) => 'const' in schema).map(([at]) => at)).toEqual([]);
    const isBare = ({ type, format }: Record<string, unknown>) =>
      [type].flat().includes('number') && format !== 'double';
    expect(all.filter(([, schema]) => isBare(schema)).map(([at]) => at)).toEqual([]);
    const dated = all.filter(([, { format }]) => format === 'date-time' || format === 'date');
    expect(dated.length).toBeGreaterThan(50);
    expect(dated.filter(([, schema]) => 'pattern' in schema).map(([at]) => at)).toEqual([]);
    const { LevelRule, Price } = document.components.schemas;
    expect(LevelRule.properties.min_quantity).toMatchObject({ type: 'integer', enum: [1, 2] });
    expect(Price.oneOf.map(({ type }: Document) => type)).toEqual(['number', 'string']);
  });

  it('describes every type of webhook, with the headers that prove its sender', () => {
    expect(Object.keys(document.webhooks).sort()).toEqual([...webhookTypes].sort());
    for (const [type, { post }] of Object.entries<Document>(document.webhooks)) {
      const example = post.requestBody.content['application/json'].examples.usual.value;
      expect(webhookSchemaOf(example.type).safeParse(example).error).toBeUndefined();
      expect(example.type).toBe(type);
      const headers = post.parameters.map(({ name }: { name: string }) => name);
      expect(headers).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
    }
  });
});
