/** Runs the marketplace in its own thread, so that the simulator does not block other work. */
import { parentPort, workerData } from 'node:worker_threads';
import { type MarketplaceOptions, startMarketplace } from '#marketplace/start.ts';
import { messageOf } from './errors.ts';

const { source, ...options } = workerData as Omit<MarketplaceOptions, 'onProgress'>;
const begin = Promise.withResolvers<void>();

try {
  const { url, keys, summary, finished, stop } = await startMarketplace({
    ...options,
    source: source.kind === 'replay' ? { ...source, begin: begin.promise } : source,
    onProgress: (line) => parentPort?.postMessage({ progress: line }),
  });
  parentPort?.on('message', async (order: 'begin' | 'stop') => {
    if (order === 'begin') return begin.resolve();
    await stop();
    process.exit(0);
  });
  parentPort?.postMessage({ started: { url, keys } });
  await finished;
  parentPort?.postMessage({ finished: summary() });
} catch (error) {
  parentPort?.postMessage({ failure: messageOf(error) });
}
