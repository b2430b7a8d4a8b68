/** DynamoDB on this machine: dynalite, its tables kept in a folder. */
import { Worker } from 'node:worker_threads';
import { LocalRunError } from '../errors.ts';
import { addressOf } from '../loopback.ts';
import { stopThread } from '../thread.ts';
import type { Emulator } from './emulator.ts';

export interface DynamoDbOptions {
  port: number;
  /** Where the tables are kept; made if missing. */
  folder: string;
}

/** @throws LocalRunError if the store can't be opened or the port is taken */
export async function startDynamoDb({ port, folder }: DynamoDbOptions): Promise<Emulator> {
  const worker = new Worker(new URL('./dynamodb-thread.ts', import.meta.url), {
    name: 'dynamodb',
    workerData: { port, path: folder },
  });
  const started = await new Promise<{ port: number }>((resolve, reject) => {
    worker.once('error', reject);
    worker.once('message', (message: { port: number; failure?: string }) =>
      message.failure === undefined
        ? resolve(message)
        : reject(new LocalRunError(`The tables can't be served: ${message.failure}`)),
    );
  });
  return {
    url: addressOf(started.port),
    stop: () => stopThread(worker),
  };
}
