import { describe, expect, it } from 'vitest';
import { openMarket } from './support/market.ts';

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document, walked by path
type Document = any;

async function readDocument(): Promise<Document> {
  const response = await openMarket().request('/openapi.json');
  expect(response.status).toBe(200);
  return response.json();
}

describe('/openapi.json', () => {
  it('is OpenAPI 3.1 and names every route of the service', async () => {
    const document = await readDocument();
    expect(document.openapi).toBe('3.1.0');
    expect(document.servers).toEqual([{ url: '/' }, { url: '/api' }]);
    const operations = Object.entries(document.paths as Record<string, object>).flatMap(
      ([path, item]) => Object.keys(item).map((method) => `${method} ${path}`),
    );
    expect(operations.sort()).toEqual([
      'get /v0.1.1/listings/get',
      'get /v0.1/listings/get',
      'get /v0.1/salesdata/get',
      'get /v0.2/salesdata/get',
      'get /v0.3/salesdata/get',
      'get /v0.4/events/event-request-status/{job_id}/',
      'get /v0.5/daily-csv/download',
      'get /v1/account',
      'get /v1/events/search',
      'get /v1/events/{event_id}/listings',
      'get /v1/events/{event_id}/sales',
      'get /v1/events/{event_id}/stats',
      'get /v1/usage',
      'post /operator/observations',
      'post /operator/top-ups',
      'post /v0.3.1/events/search',
      'post /v0.3/salesdata/batch',
      'post /v0.4/events/event-request-add',
      'post /v1/events/sales/batch',
      'put /operator/sources/{source}',
    ]);
  });

  it('has only references that it defines', async () => {
    const document = await readDocument();
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      ([, path]) => path ?? '',
    );
    expect(references.length).toBeGreaterThan(50);
    for (const reference of new Set(references)) {
      let target = document;
      for (const part of reference.split('/')) target = target?.[part];
      expect(target, reference).toBeTypeOf('object');
    }
  });

  it('names every error and header of an operation', async () => {
    const { paths } = await readDocument();
    const { responses, parameters } = paths['/v1/events/{event_id}/listings'].get;
    expect(Object.keys(responses)).toEqual([
      '200',
      '400',
      '401',
      '402',
      '403',
      '404',
      '405',
      '429',
      '500',
      '503',
    ]);
    expect(Object.keys(responses['429'].headers)).toEqual([
      'RateLimit-Limit',
      'RateLimit-Remaining',
      'RateLimit-Reset',
      'Retry-After',
    ]);
    expect(Object.keys(responses['404'].content)).toEqual(['application/json', 'text/html']);
    expect(
      paths['/v0.4/events/event-request-add'].post.responses['429'].content['application/json']
        .schema,
    ).toEqual({ $ref: '#/components/schemas/TooManyJobs' });
    expect(paths['/v0.3/salesdata/get'].get.responses['200'].headers).toHaveProperty(
      'Content-Encoding',
    );
    expect(responses['402'].content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/PaymentRequired',
    });
    expect(
      parameters.map(
        (parameter: { name: string; in: string }) => `${parameter.in} ${parameter.name}`,
      ),
    ).toEqual([
      'path event_id',
      'query id_type',
      'query active',
      'query limit',
      'query starting_after',
    ]);
    expect(parameters[3].schema).toMatchObject({
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      default: 500,
    });
    expect(Object.keys(paths['/v0.3/salesdata/get'].get.responses['400'].content)).toEqual([
      'text/plain',
    ]);
    expect(Object.keys(paths['/v0.5/daily-csv/download'].get.responses['200'].content)).toEqual([
      'text/csv',
    ]);
  });

  it('describes every parameter, and which exclude each other', async () => {
    const { paths } = await readDocument();
    const csv = paths['/v0.5/daily-csv/download'].get;
    expect(csv.parameters).toEqual([
      {
        name: 'date',
        in: 'query',
        required: false,
        description: 'YYYYMMDD; the newest file when omitted or empty',
        schema: { type: 'string', pattern: '^(\\d{8})?$' },
      },
    ]);
    for (const path of ['/v0.1/salesdata/get', '/v0.3/salesdata/get', '/v0.1.1/listings/get']) {
      const { description, parameters } = paths[path].get;
      expect(description).toMatch('Exactly one of event_id and event_id_sh');
      for (const parameter of parameters) expect(parameter.description).toMatch('exactly one of');
    }
  });

  it('lists the values of a path, an id and an account name', async () => {
    const { paths } = await readDocument();
    const source = paths['/operator/sources/{source}'].put.parameters[0];
    expect(source.schema.enum).toEqual(['sh', 'vs']);
    const [eventId] = paths['/v0.3/salesdata/get'].get.parameters;
    expect(eventId.schema).toMatchObject({ minimum: 0, maximum: 999_999_999_999_999 });
    const topUp = paths['/operator/top-ups'].post.requestBody.content['application/json'].schema;
    expect(topUp.properties).toMatchObject({
      account: { enum: expect.arrayContaining(['main', 'lowBalance', 'operator']) },
      pulls: { maximum: 1_000_000_000 },
    });
  });

  it('lists the headers of each status', async () => {
    const { paths } = await readDocument();
    const headersOf = (operation: Document, status: string) =>
      Object.keys(operation.responses[status].headers);
    const limits = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
    const batch = paths['/v1/events/sales/batch'].post;
    expect(headersOf(batch, '401')).toEqual(limits);
    expect(headersOf(batch, '405')).toEqual([...limits, 'Allow']);
    expect(headersOf(batch, '413')).toEqual([...limits, 'Connection']);
    expect(headersOf(batch, '503')).toEqual([...limits, 'Retry-After']);
    const submit = paths['/v0.4/events/event-request-add'].post;
    expect(headersOf(submit, '202')).toEqual(limits);
    expect(headersOf(submit, '429')).toEqual([...limits, 'Retry-After']);
  });

  it('uses only forms that client generators can read', async () => {
    const document = await readDocument();
    const text = JSON.stringify(document);
    for (const form of ['prefixItems', '"items":false', '"type":"null"', '"const":', '\\\\p{']) {
      expect(text).not.toContain(form);
    }
    expect(text).not.toContain('9007199254740991');
    const integers = text.match(/\{[^{}]*"type":"integer"[^{}]*\}/g) ?? [];
    expect(integers.length).toBeGreaterThan(60);
    for (const integer of integers) expect(integer).toMatch(/"format":"int64"|"enum":/);
    expect(document.components.schemas.Sources).toMatchObject({
      items: { $ref: '#/components/schemas/SourceStatus' },
      minItems: 2,
      maxItems: 2,
    });
  });
});
