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

/** It counts what AWS would bill: each request, also a receive that brings nothing. */
export interface SqsEmulator extends Emulator {
  /** Requests so far by their action, such as `ReceiveMessage`. */
  requests(): Readonly<Record<string, number>>;
}

export async function startSqs(port: number, access: GatekeeperOptions): Promise<SqsEmulator> {
  await makeQueuesFair();
  const app = buildApp({ logger: false, defaultRegion: access.region });
  const counts = new Map<string, number>();
  app.addHook('onRequest', async ({ headers }) => {
    const action = String(headers['x-amz-target'] ?? '').replace(/^AmazonSQS\./, '');
    counts.set(action, (counts.get(action) ?? 0) + 1);
  });
  app.addHook('preHandler', async ({ body }) => noteGroups(body));
  await app.listen({ port, host: loopbackAddress });
  const gatekeeper = guardServer(app.server, access);
  return {
    url: addressOf(portOf(app.server)),
    requests: () => Object.fromEntries(counts),
    hold: (principals) => gatekeeper.hold(principals),
    stop: async () => {
      await app.close();
    },
  };
}
