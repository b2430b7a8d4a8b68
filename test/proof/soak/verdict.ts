/** The conditions of a soak, and whether it met them: no growth, the requested rate, each alert received once. */
import type { AlertCounts } from './alert-ledger.ts';
import { type Figure, type Judgement, judgeGrowth, type Tolerance } from './growth.ts';
import { queueKinds } from './queues.ts';
import { isEmulator, type Row } from './rows.ts';

export interface SoakResult {
  rows: readonly Row[];
  warmUpRows: number;
  /** Number of alerts that the market's refreshes should cause. */
  planned: number;
  counts: AlertCounts;
  /** Faults, refused webhooks and all other errors, as lines. */
  troubles: readonly string[];
}

export interface Verdict {
  judgements: Judgement[];
  /** Why the soak failed, one line each; empty if it passed. */
  faults: string[];
}

const minuteSeconds = 60;
/** A young heap needs some minutes to reach its size; a short run can only show a gross leak. */
const isLong = (rows: readonly Row[]) => (rows.at(-1)?.endsAtSeconds ?? 0) >= 10 * minuteSeconds;
/**
 * Below this share of the rate, the load was not the requested one. All rows after the warm-up count
 * together: an alert that is told a moment later moves into the next row.
 */
const leastShare = 0.95;

/** @returns the verdict on every figure, and what failed */
export function judge(result: SoakResult): Verdict {
  const { rows, warmUpRows } = result;
  const judgements = figuresOf(rows).map((figure) => judgeGrowth(figure, warmUpRows));
  const growing = judgements
    .filter(({ isGrowing }) => isGrowing)
    .map(
      ({ name, unit, first, last, limit }) =>
        `${name} grew from ${first.toFixed(1)} to ${last.toFixed(1)} ${unit}, ` +
        `more than ${limit.toFixed(1)}`,
    );
  return {
    judgements,
    faults: [...growing, ...loadFaults(result), ...result.troubles.slice(0, 5)],
  };
}

function figuresOf(rows: readonly Row[]): Figure[] {
  const heap: Tolerance = isLong(rows) ? { factor: 1.1, slack: 8 } : { factor: 1.5, slack: 64 };
  const resident: Tolerance = isLong(rows)
    ? { factor: 1.1, slack: 50 }
    : { factor: 1.5, slack: 200 };
  const delay: Tolerance = isLong(rows) ? { factor: 1.5, slack: 500 } : { factor: 2, slack: 3_000 };
  const column = (read: (row: Row) => number) => rows.map(read);
  return [
    ...partsOf(rows).map((part) => ({
      name: isEmulator(part) ? `heap of ${part} (emulators)` : `heap of ${part}`,
      unit: 'MB',
      values: column(({ heaps }) => heaps[part] ?? 0),
      tolerance: heap,
    })),
    {
      name: 'resident memory',
      unit: 'MB',
      values: column(({ anonymous }) => anonymous),
      tolerance: resident,
    },
    ...queueKinds.map((kind) => ({
      name: `oldest message for ${kind}`,
      unit: 's',
      values: column(({ oldest }) => oldest[kind]),
      tolerance: { factor: 1.5, slack: 2 },
    })),
    ...(['p50', 'p95'] as const).map((which) => ({
      name: `refresh to receipt, ${which}`,
      unit: 'ms',
      values: column(({ latency }) => latency[which]),
      tolerance: delay,
    })),
  ];
}

/** Threads that exist all the time; a thread that comes and goes has no trend. */
function partsOf(rows: readonly Row[]): string[] {
  const [first] = rows;
  const parts = Object.keys(first?.heaps ?? {});
  return parts.filter((part) => rows.every(({ heaps }) => part in heaps)).sort();
}

function loadFaults({ rows, warmUpRows, planned, counts }: SoakResult): string[] {
  const faults: string[] = [];
  const seconds = rows.at(-1)?.endsAtSeconds ?? 0;
  const expected = (planned / seconds) * rowSeconds(rows);
  const loaded = rows.slice(warmUpRows);
  const perRow = loaded.reduce((sum, { told }) => sum + told, 0) / loaded.length;
  if (perRow < expected * leastShare) {
    faults.push(
      `the load was not reached: ${(planned / seconds).toFixed(0)} alerts a second were called for, ` +
        `${(perRow / rowSeconds(rows)).toFixed(1)} were told`,
    );
  }
  const { fired, missing, unknown, doubled } = counts;
  if (fired !== planned) faults.push(`${planned} alerts were called for, ${fired} fired`);
  if (missing > 0) faults.push(`${missing} alerts fired and were never told`);
  if (unknown > 0) faults.push(`${unknown} alerts were told and never fired`);
  if (doubled > 0) faults.push(`${doubled} alerts were told twice`);
  return faults;
}

function rowSeconds(rows: readonly Row[]): number {
  return rows[0]?.endsAtSeconds ?? minuteSeconds;
}
