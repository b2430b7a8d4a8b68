import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalStack } from '#infra/local/local-stack.ts';
import { aFunction, type TemporaryFolder, temporaryFolder } from '../support/fixture-assembly.ts';
import { anHttpApi } from '../support/resources.ts';
import { runStack } from '../support/run-stack.ts';

const handler = `
  const answers = {
    '/cookies': { statusCode: 201, headers: { 'X-A': 1 }, cookies: ['a=1', 'b=2'], body: 'made' },
    '/binary': { statusCode: 200, body: Buffer.from([0, 255]).toString('base64'),
      isBase64Encoded: true, headers: { 'content-type': 'image/png' } },
    '/bare': { not: 'a response' },
    '/text': 'just text',
    '/strange': { statusCode: 'often' },
  };
  export async function handler(event) {
    if (event.rawPath === '/throws') throw new Error('boom');
    return answers[event.rawPath] ?? { statusCode: 200, body: JSON.stringify(event),
      headers: { 'content-type': 'application/json' } };
  }`;

let folder: TemporaryFolder;
let stack: LocalStack;

beforeAll(async () => {
  folder = temporaryFolder();
  ({ stack } = await runStack(folder.path, {
    bundles: { api: handler },
    resources: { Handler: aFunction('api'), ...anHttpApi('Handler') },
    outputs: { Url: { Value: { 'Fn::GetAtt': ['Api', 'ApiEndpoint'] } } },
  }));
});
afterAll(async () => {
  await stack.stop();
  folder.remove();
});

function call(path: string, init?: RequestInit): Promise<Response> {
  return fetch(`${stack.outputs.Url}${path}`, init);
}

describe('a request', () => {
  it('reaches the function in payload format 2.0', async () => {
    const response = await call('/v1/watches/a%20b?x=1&x=2&y=', {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: 'k=v; l=w', 'X-Mixed': 'Case' },
      body: '{"zone":"Früh"}',
    });
    expect(await response.json()).toMatchObject({
      version: '2.0',
      routeKey: 'ANY /{proxy+}',
      rawPath: '/v1/watches/a%20b',
      rawQueryString: 'x=1&x=2&y=',
      queryStringParameters: { x: '1,2', y: '' },
      pathParameters: { proxy: 'v1/watches/a%20b' },
      cookies: ['k=v', 'l=w'],
      headers: { 'x-mixed': 'Case', 'content-type': 'application/json' },
      requestContext: {
        http: { method: 'POST', path: '/v1/watches/a%20b', sourceIp: '127.0.0.1' },
        stage: '$default',
      },
      body: '{"zone":"Früh"}',
      isBase64Encoded: false,
    });
  });

  it.each([
    ['a form', 'application/x-www-form-urlencoded', 'a=1'],
    ['bytes that are no text', 'application/json', new Uint8Array([255, 254])],
  ])('brings %s in base64', async (_, type, body) => {
    const init = { method: 'POST', headers: { 'content-type': type }, body };
    const event = JSON.parse(await (await call('/x', init)).text());
    expect(event.isBase64Encoded).toBe(true);
    expect(Buffer.from(event.body, 'base64')).toEqual(Buffer.from(body));
  });

  it('without a body has none in its event', async () => {
    expect(await (await call('/x')).json()).not.toHaveProperty('body');
  });

  it('over 10 MB is refused with 413, and the API continues', async () => {
    const response = await call('/x', { method: 'POST', body: Buffer.alloc(10 * 1024 * 1024 + 1) });
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual({ message: 'Request Entity Too Large' });
    expect((await call('/x')).status).toBe(200);
  });

  it('that no route matches is a 404 of the gateway', async () => {
    const response = await call('/');
    expect([response.status, await response.json()]).toEqual([404, { message: 'Not Found' }]);
  });
});

describe('an answer', () => {
  it('sets status, headers and each cookie', async () => {
    const response = await call('/cookies');
    expect(response.status).toBe(201);
    expect(response.headers.get('x-a')).toBe('1');
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(await response.text()).toBe('made');
  });

  it('in base64 arrives as bytes', async () => {
    const response = await call('/binary');
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([0, 255]);
  });

  it('without a status is the JSON body of a 200', async () => {
    const response = await call('/bare');
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual({ not: 'a response' });
    expect(await (await call('/text')).text()).toBe('just text');
  });

  it.each(['/throws', '/strange'])('of a function at fault (%s) is a bare 500', async (path) => {
    const response = await call(path);
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ message: 'Internal Server Error' });
  });
});
