import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { MarketplaceClient } from '#shared/marketplace/client.ts';
import {
  API_KEY,
  createBench,
  json,
  type Reply,
  raw,
  startFakeService,
} from '#test/support/marketplace/fake-service.ts';

const KEY_FORMS = [API_KEY, btoa(API_KEY).slice(0, 80), btoa(`Bearer ${API_KEY}`).slice(0, 80)];

/** All texts of a value that a logger could write. */
function writeOut(value: unknown): string {
  const error = value as Error;
  const own = JSON.stringify(value, Object.getOwnPropertyNames(value ?? {}));
  return [inspect(value, { depth: 20, showHidden: true }), own, String(value), error.stack].join();
}

function expectClean(value: unknown): void {
  const text = writeOut(value);
  for (const form of KEY_FORMS) expect(text).not.toContain(form.slice(0, 20));
}

describe('the API key', () => {
  it('appears in no output of the client', () => {
    const { client } = createBench('http://127.0.0.1:1');
    expectClean(client);
    expect(JSON.stringify(client)).toBe('{}');
    expectClean(client.stats(7));
  });

  it.each<[string, Reply]>([
    [
      'a body that echoes the headers',
      (request, response) => {
        response.writeHead(400, { 'content-type': 'text/plain' });
        response.end(`bad request: ${JSON.stringify(request.headers)} ${btoa(API_KEY)}`);
      },
    ],
    [
      'an envelope that quotes it',
      (request, response) =>
        json(
          { error: { type: 'invalid_request', code: 'x', message: request.headers.authorization } },
          400,
        )(request, response),
    ],
    [
      'a 401 that quotes it in base64',
      (request, response) => raw(btoa(request.headers.authorization ?? ''), 401)(request, response),
    ],
    [
      'a 200 that is not the contract',
      (request, response) => json({ echo: request.headers })(request, response),
    ],
    [
      'a 200 that is not JSON',
      (request, response) => raw(String(request.headers.authorization))(request, response),
    ],
    [
      'an answer that is not HTTP',
      (request, response) => {
        response.socket?.end(
          `HTTP/1.1 200 OK\r\nbroken header ${request.headers.authorization}\r\n\r\n`,
        );
      },
    ],
    [
      'a long text that would be cut within it',
      (request, response) =>
        raw(`${'x'.repeat(470)}${request.headers.authorization}`, 500)(request, response),
    ],
    [
      'a code, a parameter and a path that quote it',
      (request, response) => {
        const secret = String(request.headers.authorization);
        return json({ error: { type: secret, code: secret, message: 'm', param: secret } }, 400)(
          request,
          response,
        );
      },
    ],
    [
      'a content type that quotes it',
      (request, response) =>
        raw('x', 200, { 'content-type': `text/${request.headers.authorization}` })(
          request,
          response,
        ),
    ],
    [
      'a bill that quotes it',
      (request, response) => {
        const topUp = `https://pay/${request.headers.authorization}`;
        return json({ error: 'payment_required', code: 'frozen', top_up_url: topUp }, 402)(
          request,
          response,
        );
      },
    ],
    ['a broken connection', (_, response) => response.socket?.destroy()],
  ])('appears in no error after %s', async (_, reply) => {
    const service = await startFakeService(reply);
    const { client } = createBench(service.url, { maxRetries: 0 });
    const error: unknown = await client.account().then(
      () => 'no error',
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(Error);
    expectClean(error);
  });

  it('is not quoted when it is malformed', () => {
    const make = () => new MarketplaceClient({ baseUrl: 'http://x', apiKey: 'short-secret' });
    expect(make).toThrow('apiKey must be 64 printable characters, this one has 12');
  });

  it.each([
    'http://user:secret@host',
    'ftp://host',
    'host',
    'http://host/?key=secret',
    'http://host/#secret',
  ])('is not quoted from a base URL of %s', (baseUrl) => {
    const make = () => new MarketplaceClient({ baseUrl, apiKey: API_KEY });
    expect(make).toThrow(TypeError);
    expect(make).not.toThrow(/secret/);
  });

  it('is sent as a Bearer token', async () => {
    const service = await startFakeService(json({}));
    await createBench(`${service.url}/api/`)
      .client.usage()
      .catch(() => undefined);
    expect(service.seen[0]?.headers.authorization).toBe(`Bearer ${API_KEY}`);
    expect(service.seen[0]?.path).toBe('/api/v1/usage');
  });
});

it('refuses a limit that it does not know', () => {
  const limits = { maxRetry: 1 } as object;
  const make = () => new MarketplaceClient({ baseUrl: 'http://x', apiKey: API_KEY, limits });
  expect(make).toThrow('limits.maxRetry is not a limit');
});
