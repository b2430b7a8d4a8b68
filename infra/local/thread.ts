/** Ends a thread: asks it to stop, and terminates it if it takes too long to close its files. */
import type { Worker } from 'node:worker_threads';

const closingMs = 3000;

export async function stopThread(worker: Worker): Promise<void> {
  if (worker.threadId === -1) return;
  const timer = setTimeout(() => void worker.terminate(), closingMs);
  await new Promise<void>((resolve) => {
    worker.once('exit', () => resolve());
    worker.postMessage('stop');
  });
  clearTimeout(timer);
}
