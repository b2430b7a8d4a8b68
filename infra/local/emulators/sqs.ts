/**
 * SQS on this machine: fauxqs, on the loopback address only. Messages live as long as the
 * process; after a restart the product's own reconciliation puts unfinished work back.
 */
import { buildApp } from 'fauxqs';
import { addressOf, loopbackAddress, portOf } from '../loopback.ts';
import type { Emulator } from './emulator.ts';

export async function startSqs(port: number, region: string): Promise<Emulator> {
  const app = buildApp({ logger: false, defaultRegion: region });
  await app.listen({ port, host: loopbackAddress });
  return {
    url: addressOf(portOf(app.server)),
    stop: async () => {
      await app.close();
    },
  };
}
