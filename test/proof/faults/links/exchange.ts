// One whole request and its response, as a link forwards them.
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';

export interface Request {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** The server behind a link. */
export type Serve = (request: Request) => Promise<Answer>;

/** Headers of a single connection, never forwarded. */
const ownHeaders = ['connection', 'keep-alive', 'transfer-encoding', 'host', 'expect'];

export async function readRequest(incoming: IncomingMessage): Promise<Request> {
  const { method = 'GET', url: path = '/', headers } = incoming;
  return { method, path, headers, body: await bytesOf(incoming) };
}

/** Without `node:stream/consumers`, which makes a blob of each body: a run forwards tens of thousands. */
async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  return Buffer.concat(await message.toArray());
}

/** Forwards requests to the server that currently listens on a port. */
export function serveFromPort(portOf: () => number): Serve {
  const agent = new Agent({ keepAlive: true, maxSockets: 128 });
  return ({ method, path, headers, body }) =>
    new Promise((settle, reject) => {
      const outgoing = request({
        ...{ host: '127.0.0.1', port: portOf(), method, path, agent },
        headers: { ...without(headers, ownHeaders), 'content-length': body.length },
      });
      outgoing.once('error', reject);
      outgoing.once('response', (response) => {
        const { statusCode: status = 0, headers: answered } = response;
        bytesOf(response).then(
          (bytes) => settle({ status, headers: without(answered, ownHeaders), body: bytes }),
          reject,
        );
      });
      outgoing.end(body);
    });
}

function without(headers: IncomingHttpHeaders, names: readonly string[]): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}
