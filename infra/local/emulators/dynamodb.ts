/** DynamoDB on this machine: dynalite, which keeps its tables in a folder. */
import { Worker } from 'node:worker_threads';
import type { GatekeeperOptions } from '../access/gatekeeper.ts';
import { LocalRunError } from '../errors.ts';
import { addressOf } from '../loopback.ts';
import { stopThread } from '../thread.ts';
import type { FromThread } from './dynamodb-thread.ts';
import type { Emulator } from './emulator.ts';

export interface DynamoDbOptions {
  port: number;
  access: GatekeeperOptions;
  /** The folder of the tables; created if missing. */
  folder: string;
}

/** @throws LocalRunError if the store can't be opened or the port is taken */
export async function startDynamoDb(options: DynamoDbOptions): Promise<Emulator> {
  const { port, folder, access } = options;
  const { onDenied, ...place } = access;
  const worker = new Worker(new URL('./dynamodb-thread.ts', import.meta.url), {
    name: 'dynamodb',
    workerData: { port, path: folder, place },
  });
  const startedPort = await new Promise<number>((resolve, reject) => {
    worker.once('error', reject);
    worker.on('message', (message: FromThread) => {
      if ('denied' in message) onDenied(message.denied);
      else if ('port' in message) resolve(message.port);
      else reject(new LocalRunError(`The tables can't be served: ${message.failure}`));
    });
  });
  return {
    url: addressOf(startedPort),
    hold: (principals) => worker.postMessage({ hold: principals }),
    stop: () => stopThread(worker),
  };
}
