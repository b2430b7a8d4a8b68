// The API of a test on a port of loopback, for clients that are other programs.
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import type { Api } from './api.ts';

/** Serves the API until `stop`, which also stops its tables. */
export async function serveApi(api: Api): Promise<{ url: string; stop(): Promise<void> }> {
  const server = serve({ fetch: api.app.fetch, port: 0, hostname: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      await new Promise((resolve) => server.close(resolve));
      await api.stop();
    },
  };
}
