// A route of the HTTP API that one function answers.
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { describe, expect, it, vi } from 'vitest';
import { createObservability } from '#shared/lambda/observability.ts';
import {
  createRouteHandler,
  type RouteReply,
  type RouteRequest,
  textAnswer,
} from '#shared/lambda/route-handler.ts';

function eventOf(method: string): APIGatewayProxyEventV2 {
  return {
    pathParameters: { token: 'abc.png' },
    queryStringParameters: { theme: 'dark' },
    requestContext: { http: { method } },
  } as unknown as APIGatewayProxyEventV2;
}

function handlerOf(answer: (request: RouteRequest) => Promise<RouteReply>) {
  const observability = createObservability();
  const logged = vi.spyOn(observability.logger, 'error').mockImplementation(() => {});
  const handler = createRouteHandler(answer, observability);
  return { logged, call: (method = 'GET') => handler(eventOf(method), {} as Context) };
}

const safety = {
  'content-security-policy': "default-src 'none'",
  'x-content-type-options': 'nosniff',
};

describe('a route', () => {
  it('gets the path, the query and whether a body is wanted', async () => {
    const asked: RouteRequest[] = [];
    const { call } = handlerOf(async (request) => {
      asked.push(request);
      return textAnswer(200, 'Here.');
    });
    await call('GET');
    await call('HEAD');
    const [path, query] = [{ token: 'abc.png' }, { theme: 'dark' }];
    expect(asked).toEqual([
      { path, query, wantsBody: true },
      { path, query, wantsBody: false },
    ]);
  });

  it('sends bytes as base64, with the headers that keep browsers from running them', async () => {
    const body = new Uint8Array([137, 80, 78, 71]);
    const { call } = handlerOf(async () => ({
      status: 200,
      headers: { 'content-type': 'image/png' },
      body,
    }));
    expect(await call()).toEqual({
      statusCode: 200,
      headers: { ...safety, 'content-type': 'image/png' },
      body: 'iVBORw==',
      isBase64Encoded: true,
    });
  });

  it('sends text as it is, not to be cached', async () => {
    const { call } = handlerOf(async () => textAnswer(404, 'There is no such picture.'));
    expect(await call()).toEqual({
      statusCode: 404,
      headers: {
        ...safety,
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'no-store',
      },
      body: 'There is no such picture.\n',
      isBase64Encoded: false,
    });
  });

  it('logs an error, and keeps its details to itself', async () => {
    const error = new Error('own_1 is odd');
    const { call, logged } = handlerOf(async () => {
      throw error;
    });
    expect(await call()).toMatchObject({
      statusCode: 500,
      body: 'This failed; the fault is ours.\n',
    });
    expect(logged).toHaveBeenCalledWith('request.failed', { method: 'GET', error });
  });

  it('asks to come back after a transient error', async () => {
    const { call } = handlerOf(async () => {
      throw Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
    });
    expect(await call()).toMatchObject({ statusCode: 503, headers: { 'retry-after': '5' } });
  });
});
