/**
 * Listens on the loopback address only, so that no server of the local run is reachable from
 * outside.
 */
import {
  createServer as createHttpServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer, type Server } from 'node:net';
import { LocalRunError, messageOf } from './errors.ts';

export const loopbackAddress = '127.0.0.1';

/** A server on which a request fails alone, also when its client breaks it off. */
export function httpServer(
  serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): HttpServer {
  return createHttpServer((request, response) => {
    serve(request, response).catch((error) => {
      if (response.headersSent) return response.destroy();
      response.writeHead(500, { 'content-type': 'text/plain;charset=utf-8' });
      response.end(messageOf(error));
    });
  });
}

/** @returns the port; a free one for 0 */
export function listenOnLoopback(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, loopbackAddress, () => resolve(portOf(server)));
  });
}

export function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== 'object' || address === null) {
    throw new Error(`The server listens on ${address}, not on a port.`);
  }
  return address.port;
}

export function addressOf(port: number): string {
  return `http://${loopbackAddress}:${port}`;
}

/** Closes the server and the connections that clients keep open. */
export function closeServer(server: Server & { closeAllConnections?(): void }): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections?.();
  });
}

/** The servers of a local run, in the order of their ports. */
export const serverNames = [
  'api',
  'marketplace',
  'inbox',
  'webhooks',
  'dynamodb',
  'sqs',
  'secretsManager',
] as const;

export type Ports = Record<(typeof serverNames)[number], number>;

const highestPort = 65_535;

/**
 * The block of ports that starts at `first`; for 0, all zero (any free ports).
 *
 * @throws LocalRunError naming the used port and the flag
 */
export async function portBlock(first: number): Promise<Ports> {
  if (first + serverNames.length - 1 > highestPort) {
    throw new LocalRunError(
      `--port ${first} leaves no room for ${serverNames.length} ports in a row.`,
    );
  }
  const ports = serverNames.map((_, offset) => (first === 0 ? 0 : first + offset));
  for (const [offset, port] of ports.entries()) {
    if (port !== 0 && !(await isFree(port))) {
      throw new LocalRunError(
        `Port ${port} (${serverNames[offset]}) is in use. The run takes ports ${first} to ` +
          `${ports.at(-1)}; choose another first one with --port N.`,
      );
    }
  }
  return Object.fromEntries(serverNames.map((name, offset) => [name, ports[offset]])) as Ports;
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  try {
    await listenOnLoopback(probe, port);
    return true;
  } catch {
    return false;
  } finally {
    await closeServer(probe);
  }
}
