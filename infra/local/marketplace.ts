/** The marketplace of the local run: starts it in a thread and stops it. */
import { Worker } from 'node:worker_threads';
import type { MarketplaceOptions, StartedMarketplace } from '#marketplace/start.ts';
import { LocalRunError } from './errors.ts';
import { stopThread } from './thread.ts';

export type { MarketplaceOptions };

type Facts = Pick<StartedMarketplace, 'url' | 'keys'>;
type SourceSummary = ReturnType<StartedMarketplace['summary']>;

type ThreadMessage =
  | { progress: string }
  | { failure: string }
  | { started: Facts }
  | { finished: SourceSummary };

export interface RunningMarketplace extends Facts {
  /** Lets a replay continue after its first day; no effect on other sources. */
  begin(): void;
  /** The source's summary when it has nothing more to ingest; a simulator never does. */
  finished: Promise<SourceSummary>;
  stop(): Promise<void>;
}

/** @throws LocalRunError with the marketplace's reason if it can't start */
export async function runMarketplace(options: MarketplaceOptions): Promise<RunningMarketplace> {
  const { onProgress, ...workerData } = options;
  const worker = new Worker(new URL('./marketplace-thread.ts', import.meta.url), {
    name: 'marketplace',
    workerData,
  });
  const started = Promise.withResolvers<Facts>();
  const finished = Promise.withResolvers<SourceSummary>();
  worker.once('error', started.reject);
  worker.on('message', (message: ThreadMessage) => {
    if ('progress' in message) onProgress?.(message.progress);
    if ('started' in message) started.resolve(message.started);
    if ('finished' in message) finished.resolve(message.finished);
    if ('failure' in message) {
      started.reject(new LocalRunError(`The marketplace can't start: ${message.failure}.`));
    }
  });
  const facts = await started.promise;
  return {
    ...facts,
    begin: () => worker.postMessage('begin'),
    finished: finished.promise,
    stop: () => stopThread(worker),
  };
}
