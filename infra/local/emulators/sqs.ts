/**
 * SQS on this machine: fauxqs with fair queues, on the loopback address only. Messages are kept
 * only while the process runs; after a restart reconcile enqueues unfinished work again.
 */
import { buildApp } from 'fauxqs';
import type { GatekeeperOptions } from '../access/gatekeeper.ts';
import { guardServer } from '../access/guard-server.ts';
import { addressOf, loopbackAddress, portOf } from '../loopback.ts';
import type { Emulator } from './emulator.ts';
import { makeQueuesFair, noteGroups } from './fair-queues.ts';

export async function startSqs(port: number, access: GatekeeperOptions): Promise<Emulator> {
  await makeQueuesFair();
  const app = buildApp({ logger: false, defaultRegion: access.region });
  app.addHook('preHandler', async ({ body }) => noteGroups(body));
  await app.listen({ port, host: loopbackAddress });
  const gatekeeper = guardServer(app.server, access);
  return {
    url: addressOf(portOf(app.server)),
    hold: (principals) => gatekeeper.hold(principals),
    stop: async () => {
      await app.close();
    },
  };
}
