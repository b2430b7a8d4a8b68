/**
 * Serves one HTTP API on a loopback port, as API Gateway would: routes, payload limit, and its own
 * answers when a function fails. No throttling and access logs.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { LocalFunction } from '../lambda/local-function.ts';
import { closeServer, httpServer, listenOnLoopback } from '../loopback.ts';
import { gatewayAnswer, type HttpAnswer, readHttpAnswer, toHttpEvent } from './http-event.ts';
import { type HttpRoute, matchRoute } from './route-table.ts';

/** API Gateway's payload limit. */
const maxBodyBytes = 10 * 1024 * 1024;

export interface HttpGatewayOptions {
  apiId: string;
  accountId: string;
  /** Filled during provisioning; read at each request. */
  routes: readonly HttpRoute<LocalFunction>[];
}

export class HttpGateway {
  readonly #options: HttpGatewayOptions;
  readonly #server: Server;

  constructor(options: HttpGatewayOptions) {
    this.#options = options;
    this.#server = httpServer((request, response) => this.#serve(request, response));
  }

  /** @returns the port; a free one for 0 */
  listen(port: number): Promise<number> {
    return listenOnLoopback(this.#server, port);
  }

  stop(): Promise<void> {
    return closeServer(this.#server);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = await this.#answer(request).catch(() =>
      gatewayAnswer(500, 'Internal Server Error'),
    );
    response.writeHead(answer.status, answer.headers);
    response.end(request.method === 'HEAD' ? undefined : answer.body);
  }

  async #answer(request: IncomingMessage): Promise<HttpAnswer> {
    const { apiId, accountId, routes } = this.#options;
    const [path = '/'] = (request.url ?? '/').split('?');
    const match = matchRoute(routes, request.method ?? 'GET', path);
    if (!match) return gatewayAnswer(404, 'Not Found');
    const body = await readBody(request);
    if (!body) return gatewayAnswer(413, 'Request Entity Too Large');
    const outcome = await match.route.target.invoke(
      toHttpEvent({
        request,
        body,
        routeKey: match.route.routeKey,
        pathParameters: match.pathParameters,
        requestId: randomUUID(),
        apiId,
        accountId,
        receivedAt: Date.now(),
      }),
    );
    const answer = outcome.ok ? readHttpAnswer(outcome.payload) : undefined;
    return answer ?? gatewayAnswer(500, 'Internal Server Error');
  }
}

/** @returns undefined once the body exceeds the limit; the rest is read and dropped */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxBodyBytes) chunks.push(chunk);
  }
  return size > maxBodyBytes ? undefined : Buffer.concat(chunks);
}
