/**
 * SQS on this machine: fauxqs, on the loopback address only. Messages live as long as the
 * process; after a restart the product's own reconciliation puts unfinished work back.
 */
import { buildApp } from 'fauxqs';
import type { GatekeeperOptions } from '../access/gatekeeper.ts';
import { guardServer } from '../access/guard-server.ts';
import { addressOf, loopbackAddress, portOf } from '../loopback.ts';
import type { Emulator } from './emulator.ts';

export async function startSqs(port: number, access: GatekeeperOptions): Promise<Emulator> {
  const app = buildApp({ logger: false, defaultRegion: access.region });
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
