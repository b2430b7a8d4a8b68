/** The marketplace as a part of the local run: started in a thread, stopped with the rest. */
import { Worker } from 'node:worker_threads';
import type { MarketplaceOptions, startMarketplace } from '#marketplace/start.ts';
import { LocalRunError } from './errors.ts';
import { stopThread } from './thread.ts';

type Started = Awaited<ReturnType<typeof startMarketplace>>;
export type RunningMarketplace = Pick<Started, 'url' | 'keys' | 'stop'>;

type ThreadMessage =
  | { progress: string }
  | { failure: string }
  | { started: Omit<RunningMarketplace, 'stop'> };

/** @throws LocalRunError with the marketplace's own reason if it can't start */
export async function runMarketplace(options: MarketplaceOptions): Promise<RunningMarketplace> {
  const { onProgress, ...workerData } = options;
  const worker = new Worker(new URL('./marketplace-thread.ts', import.meta.url), {
    name: 'marketplace',
    workerData,
  });
  const facts = await new Promise<Omit<RunningMarketplace, 'stop'>>((resolve, reject) => {
    worker.once('error', reject);
    worker.on('message', (message: ThreadMessage) => {
      if ('progress' in message) onProgress?.(message.progress);
      if ('started' in message) resolve(message.started);
      if ('failure' in message) {
        reject(new LocalRunError(`The marketplace can't start: ${message.failure}`));
      }
    });
  });
  return { ...facts, stop: () => stopThread(worker) };
}
