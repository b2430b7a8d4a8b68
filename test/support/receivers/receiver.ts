// An emulated receiver: it takes requests as the real service does, with its limits, its rates and its errors,
// and keeps what its readers see. The same rules answer in the process (`postTo`) and on loopback (`serve`).
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpRequest } from '#shared/delivery/channels/channel-kind.ts';
import type { GuardedPost } from '#shared/delivery/outbound/guarded-post.ts';
import type { PostAnswer } from '#shared/delivery/outbound/post-answer.ts';
import type { ShownMessage } from './shown-text.ts';

export interface EmulatedReceiver {
  /** @param now epoch milliseconds, for the rates. */
  answer(request: HttpRequest, now: number): PostAnswer;
  /** The messages that its readers have, the oldest first. An edit changes a message in its place. */
  messages: ShownMessage[];
}

/** A `post` that reaches the receiver without a network. */
export function postTo(receiver: EmulatedReceiver, now: () => number): GuardedPost {
  return async (request) => receiver.answer(request, now());
}

export interface ServedReceiver {
  /** Such as `http://127.0.0.1:4711`. */
  url: string;
  stop: () => void;
}

/** The receiver as an HTTP server on loopback; paths and queries stay as they are. */
export async function serve(
  receiver: EmulatedReceiver,
  now: () => number,
): Promise<ServedReceiver> {
  const server = createServer(async (incoming, outgoing) => {
    const { status, headers, excerpt } = receiver.answer(await requestOf(incoming), now());
    outgoing.writeHead(status, headers).end(excerpt);
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function requestOf(incoming: IncomingMessage): Promise<HttpRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
  return {
    method: incoming.method as 'POST',
    url: `http://${incoming.headers.host}${incoming.url}`,
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks).toString('utf8'),
  };
}

/** An answer with a JSON body. */
export function jsonAnswer(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): PostAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    excerpt: JSON.stringify(body),
  };
}

export function textAnswer(
  status: number,
  excerpt: string,
  headers: Record<string, string> = {},
): PostAnswer {
  return { status, headers: { 'content-type': 'text/plain', ...headers }, excerpt };
}

/** The value of a header, whatever the case of its name. */
export function headerOf({ headers }: HttpRequest, name: string): string {
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  return found?.[1] ?? '';
}

/** The JSON object in a body; undefined for anything else. */
export function objectIn(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
