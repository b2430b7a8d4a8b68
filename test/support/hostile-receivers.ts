// Misbehaving receivers on loopback, and a guarded client that is allowed to reach them.
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { createGuardedPost, networkReason } from '#shared/delivery/outbound/guarded-post.ts';

export const policy = { loopback: 'allowed' } as const;
export const timeoutMs = 400;
export const post = createGuardedPost({ policy, timeoutMs });
export const target = (url: string) => ({ url, headers: { 'x-test': '1' }, body: '{}' });

export const stops: (() => void)[] = [];
/** Stops everything that a test started; every file that starts receivers calls it after each test. */
export function stopReceivers(): void {
  for (const stop of stops.splice(0)) stop();
}

export async function listening(
  server: Pick<Server, 'listen' | 'address' | 'close'>,
): Promise<number> {
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  stops.push(() => {
    if ('closeAllConnections' in server) (server as Server).closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

export const receiver = async (answer: RequestListener) =>
  `http://127.0.0.1:${await listening(createServer(answer))}/hook`;

/** A receiver that sends raw bytes. */
export async function rawReceiver(onRequest: (socket: Socket) => void): Promise<string> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => onRequest(socket));
    stops.push(() => socket.destroy());
  });
  return `http://127.0.0.1:${await listening(server as never)}/hook`;
}

export const failure = async (url: string) =>
  networkReason(
    await post(target(url)).then(
      () => undefined,
      (error: unknown) => error,
    ),
  );
