/** Measures this process: its memory by kind, and its processor time. */
import { readFileSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import type { ProcessSample } from './cloud-messages.ts';

/** The thread that runs the triggers and the emulators of SQS, SES and Secrets Manager. */
export const mainThread = 'main';

export async function sampleProcess(threads: Iterable<Worker>): Promise<ProcessSample> {
  const { heapUsed, external } = process.memoryUsage();
  const heaps: ProcessSample['heaps'] = { [mainThread]: [heapUsed + external] };
  const measured = [...threads].map(async (thread) => {
    const label = labelOf(thread.threadName ?? 'thread');
    // A thread that has just ended has no heap.
    const heap = await thread.getHeapStatistics().catch(() => undefined);
    if (!heap) return;
    heaps[label] = [...(heaps[label] ?? []), heap.used_heap_size + heap.external_memory];
  });
  await Promise.all(measured);
  const { user, system } = process.cpuUsage();
  return { cpuSeconds: (user + system) / 1e6, ...readResident(), heaps };
}

/** `GetinDev-SendEmailFunction5B6C` → `send-email`; other threads are named by what they run. */
function labelOf(name: string): string {
  const stem = /^[A-Za-z]+-([A-Za-z]+?)(?:Worker)?Function/.exec(name)?.[1];
  return stem?.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase() ?? name;
}

/** From /proc, because only there are mapped files separate from allocated memory. */
function readResident(): { rss: number; anonymous: number } {
  const status = readFileSync('/proc/self/status', 'utf8');
  const bytesOf = (field: string): number =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024;
  return { rss: bytesOf('VmRSS'), anonymous: bytesOf('RssAnon') };
}
