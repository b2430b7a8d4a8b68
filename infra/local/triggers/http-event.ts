/**
 * Turns a request into API Gateway's payload format 2.0, and a function's answer into a response.
 * Knows only the format, neither sockets nor routes.
 */
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';

export interface HttpEventInput {
  request: IncomingMessage;
  body: Buffer;
  routeKey: string;
  pathParameters: Record<string, string>;
  requestId: string;
  apiId: string;
  accountId: string;
  /** Epoch milliseconds. */
  receivedAt: number;
}

export interface HttpAnswer {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
}

const textTypes = /^(?:text\/.+|application\/(?:.+\+)?(?:json|xml)|application\/javascript)$/;

export function toHttpEvent(input: HttpEventInput): APIGatewayProxyEventV2 {
  const { request, body, pathParameters } = input;
  const [rawPath = '/', rawQueryString = ''] = splitOnce(request.url ?? '/', '?');
  const { cookie, ...headers } = joinedHeaders(request);
  const query = joinedQuery(rawQueryString);
  const isBase64Encoded = body.length > 0 && !isText(headers['content-type'], body);
  return {
    version: '2.0',
    routeKey: input.routeKey,
    rawPath,
    rawQueryString,
    ...(cookie && { cookies: cookie.split('; ') }),
    headers,
    ...(rawQueryString !== '' && { queryStringParameters: query }),
    ...(Object.keys(pathParameters).length > 0 && { pathParameters }),
    requestContext: requestContext(input, rawPath, headers),
    ...(body.length > 0 && { body: body.toString(isBase64Encoded ? 'base64' : 'utf8') }),
    isBase64Encoded,
  };
}

/**
 * Reads a function's answer: an object with `statusCode` is a response; anything else is the JSON
 * body of a 200.
 *
 * @returns undefined for an answer that API Gateway turns into a 500
 */
export function readHttpAnswer(payload: unknown): HttpAnswer | undefined {
  if (typeof payload !== 'object' || payload === null || !('statusCode' in payload)) {
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload ?? null)),
    };
  }
  const { statusCode, headers, cookies, body, isBase64Encoded } = payload as Record<
    string,
    unknown
  >;
  const status = Number(statusCode);
  if (!Number.isInteger(status) || status < 100 || status > 599) return undefined;
  if (body !== undefined && body !== null && typeof body !== 'string') return undefined;
  return {
    status,
    headers: {
      'content-type': 'text/plain;charset=utf-8',
      ...answerHeaders(headers),
      ...(Array.isArray(cookies) && { 'set-cookie': cookies.map(String) }),
    },
    body: Buffer.from(body ?? '', isBase64Encoded === true ? 'base64' : 'utf8'),
  };
}

/** An answer with API Gateway's own text. */
export function gatewayAnswer(status: number, message: string): HttpAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ message })),
  };
}

function requestContext(
  input: HttpEventInput,
  path: string,
  headers: Record<string, string>,
): APIGatewayProxyEventV2['requestContext'] {
  return {
    accountId: input.accountId,
    apiId: input.apiId,
    domainName: headers.host ?? '',
    domainPrefix: input.apiId,
    http: {
      method: input.request.method ?? 'GET',
      path,
      protocol: `HTTP/${input.request.httpVersion}`,
      sourceIp: input.request.socket.remoteAddress ?? '',
      userAgent: headers['user-agent'] ?? '',
    },
    requestId: input.requestId,
    routeKey: input.routeKey,
    stage: '$default',
    time: gatewayTime(input.receivedAt),
    timeEpoch: input.receivedAt,
  };
}

/** API Gateway's date format, such as `27/Nov/2026:23:44:51 +0000`. */
function gatewayTime(epochMs: number): string {
  const [, day, month, year, time] = new Date(epochMs).toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
}

function joinedHeaders(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.headersDistinct).map(([name, values = []]) => [
      name,
      values.join(name === 'cookie' ? '; ' : ','),
    ]),
  );
}

function joinedQuery(rawQueryString: string): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(rawQueryString)) {
    query[name] = name in query ? `${query[name]},${value}` : value;
  }
  return query;
}

function isText(contentType: string | undefined, body: Buffer): boolean {
  const [type = ''] = splitOnce(contentType ?? '', ';');
  return textTypes.test(type.trim().toLowerCase()) && Buffer.from(body.toString()).equals(body);
}

function answerHeaders(headers: unknown): Record<string, string> {
  if (typeof headers !== 'object' || headers === null) return {};
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}
