// The API of a test on a port of loopback, for clients that are other programs.
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import type { Api } from './api.ts';

export interface ServedApi {
  url: string;
  /** Also stops the API's tables. */
  stop(): Promise<void>;
}

/** @param fetch answers instead of the API, for a test that serves more than it. */
export async function serveApi(
  api: Api,
  fetch: (request: Request) => Response | Promise<Response> = api.app.fetch,
): Promise<ServedApi> {
  // A fuzzer's addresses are long, and the API itself shall refuse them.
  const serverOptions = { maxHeaderSize: 1_048_576 };
  const server = serve({ fetch, port: 0, hostname: '127.0.0.1', serverOptions });
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
