/**
 * Collects a soak's measurements into rows, one a minute: samples each second, sums and medians at the
 * end of the row. It only measures; verdict.ts judges.
 */
import { quantile } from '#test/support/quantile.ts';
import type { ProcessSample } from './cloud-messages.ts';
import { mainThread } from './process-sample.ts';
import { type QueueAges, type QueueKind, queueKinds } from './queues.ts';

/** Threads that are emulators, which grow with the data they store. */
const emulators = [mainThread, 'dynamodb', 'marketplace'];

/** Latencies in ms, ages in seconds, sizes in MB. */
export interface Row {
  endsAtSeconds: number;
  /** Alerts in this row. */
  fired: number;
  told: number;
  latency: { p50: number; p95: number; p99: number };
  /** The highest age in any sample. */
  oldest: QueueAges;
  /** Medians of the process's resident memory; mapped files are separate. */
  rss: number;
  anonymous: number;
  /** By what a thread runs: the lowest heap size of its largest thread, just after a collection. */
  heaps: Record<string, number>;
  /** Disk usage of the tables and the market. */
  disk: number;
  /** Number of processors that the cloud kept busy. */
  cores: number;
}

export class RowRecorder {
  #latencies: number[] = [];
  #samples: ProcessSample[] = [];
  #ages: QueueAges[] = [];
  #before = { fired: 0, told: 0 };
  #cpuBefore = { seconds: 0, cpuSeconds: 0 };

  told(latencyMs: number): void {
    this.#latencies.push(latencyMs);
  }

  sample(sample: ProcessSample, ages: QueueAges): void {
    this.#samples.push(sample);
    this.#ages.push(ages);
  }

  /** Ends a row. `totals` are since the start of the load. */
  endRow(endsAtSeconds: number, totals: { fired: number; told: number }, diskBytes: number): Row {
    const latencies = this.#latencies;
    const resident = (of: 'rss' | 'anonymous') =>
      inMegabytes(
        quantile(
          this.#samples.map((sample) => sample[of]),
          0.5,
        ),
      );
    const row = {
      endsAtSeconds,
      fired: totals.fired - this.#before.fired,
      told: totals.told - this.#before.told,
      latency: {
        p50: quantile(latencies, 0.5),
        p95: quantile(latencies, 0.95),
        p99: quantile(latencies, 0.99),
      },
      oldest: oldestOf(this.#ages),
      rss: resident('rss'),
      anonymous: resident('anonymous'),
      heaps: heapsOf(this.#samples),
      disk: inMegabytes(diskBytes),
      cores: this.#coresUntil(endsAtSeconds),
    };
    this.#before = totals;
    this.#latencies = [];
    this.#samples = [];
    this.#ages = [];
    return row;
  }

  /** Counting begins at the first sample. */
  #coresUntil(seconds: number): number {
    const [first] = this.#samples;
    const before = this.#cpuBefore.cpuSeconds || (first?.cpuSeconds ?? 0);
    const cpuSeconds = this.#samples.at(-1)?.cpuSeconds ?? before;
    const cores = (cpuSeconds - before) / (seconds - this.#cpuBefore.seconds);
    this.#cpuBefore = { seconds, cpuSeconds };
    return cores;
  }
}

export function isEmulator(part: string): boolean {
  return emulators.includes(part);
}

function oldestOf(samples: readonly QueueAges[]): QueueAges {
  const oldest = (kind: QueueKind) => Math.max(0, ...samples.map((ages) => ages[kind]));
  return Object.fromEntries(queueKinds.map((kind) => [kind, oldest(kind)])) as QueueAges;
}

function heapsOf(samples: readonly ProcessSample[]): Record<string, number> {
  const least = new Map<string, number>();
  for (const { heaps } of samples) {
    for (const [part, sizes] of Object.entries(heaps)) {
      const largest = Math.max(...sizes);
      least.set(part, Math.min(least.get(part) ?? largest, largest));
    }
  }
  return Object.fromEntries([...least].map(([part, bytes]) => [part, inMegabytes(bytes)]));
}

function inMegabytes(bytes: number): number {
  return bytes / 1e6;
}
