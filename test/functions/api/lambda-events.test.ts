// The API behind API Gateway: events as Lambda gets them, bodies in base64 included.
import { beforeAll, describe, expect, it } from 'vitest';
import { createLambdaHandler } from '#functions/api/lambda-handler.ts';
import { createLazyApp } from '#functions/api/lazy-app.ts';
import { type Api, eventId, levelRule, startApi } from '#test/support/api.ts';

let api: Api;

beforeAll(async () => {
  api = await startApi();
  return () => api.stop();
});

interface Sent {
  body?: string;
  isBase64Encoded?: boolean;
  headers?: Record<string, string>;
}

/** A payload 2.0 event of `POST /v1/watches`. */
function eventOf({ body, isBase64Encoded = false, headers = {} }: Sent) {
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: '/v1/watches',
    rawQueryString: '',
    headers: { host: 'api.example', authorization: `Bearer ${api.ann.key}`, ...headers },
    requestContext: {
      accountId: '000000000000',
      apiId: 'api',
      domainName: 'api.example',
      domainPrefix: 'api',
      http: {
        method: 'POST',
        path: '/v1/watches',
        protocol: 'HTTP/1.1',
        sourceIp: '192.0.2.1',
        userAgent: 'test',
      },
      requestId: 'gateway-request-1',
      routeKey: '$default',
      stage: '$default',
      time: '01/Mar/2026:12:00:00 +0000',
      timeEpoch: 1_772_366_400_000,
    },
    isBase64Encoded,
    ...(body !== undefined && { body }),
  };
}

const json = { 'content-type': 'application/json' };
let made = 0;
const valid = () => {
  made += 1;
  return JSON.stringify({
    event_id: eventId,
    name: `event ${made}`,
    rules: [levelRule(80)],
    channels: [api.ann.channelId],
  });
};
const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');

describe('an event of API Gateway', () => {
  it.each<[string, () => Sent, number]>([
    ['without a content type', () => ({ body: valid() }), 415],
    ['with JSON', () => ({ body: valid(), headers: json }), 201],
    ['with text', () => ({ body: valid(), headers: { 'content-type': 'text/plain' } }), 415],
    ['in base64', () => ({ body: base64(valid()), isBase64Encoded: true, headers: json }), 201],
    [
      'flagged as base64 that is none',
      () => ({ body: '{"a":1}', isBase64Encoded: true, headers: json }),
      400,
    ],
    ['with an empty body', () => ({ body: '', headers: json }), 400],
    ['with no body', () => ({ headers: json }), 400],
    ['with 10 MB', () => ({ body: `"${'x'.repeat(10_000_000)}"`, headers: json }), 413],
  ])('%s is answered as the same request by HTTP is', async (_, sent, status) => {
    const answer = await createLambdaHandler(createLazyApp(api.deps))(
      eventOf(sent()) as never,
      {} as never,
    );
    expect(answer.statusCode).toBe(status);
    if (status >= 400) {
      expect(answer.headers?.['content-type']).toBe('application/problem+json');
      expect(JSON.parse(String(answer.body))).toMatchObject({ status });
      expect(answer.body).not.toMatch(/node_modules|\.ts:/);
    }
  });

  it('gives the request its id', async () => {
    const answer = await createLambdaHandler(createLazyApp(api.deps))(
      eventOf({ body: valid(), headers: json }) as never,
      {} as never,
    );
    expect(answer.headers?.['x-request-id']).toBe('gateway-request-1');
    expect(api.logged.at(-1)?.fields.requestId).toBe('gateway-request-1');
  });
});
