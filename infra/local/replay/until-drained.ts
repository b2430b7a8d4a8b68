/** Waits until a replay has come through: every event polled once more, every alert out. */
import { setTimeout as wait } from 'node:timers/promises';
import type { LocalStack } from '../local-stack.ts';
import type { Tally } from '../terminal/alert-lines.ts';

/** Polling never comes to rest; what it found does. */
const goesOnForever = ['dispatch', 'poll', 'reconcile'];

const lookEveryMs = 250;
/** Nothing moving for so long means that something is stuck. */
const stuckAfterMs = 120_000;

export interface DrainOptions {
  stack: Pick<LocalStack, 'isIdle'>;
  tally: Tally;
  eventIds: readonly number[];
  /** Polls count from here on, epoch milliseconds. */
  since: number;
  signal: AbortSignal;
}

/** @returns the events that were not polled again, if it came to a standstill; none otherwise */
export async function untilDrained(options: DrainOptions): Promise<number[]> {
  const { stack, tally, eventIds, since, signal } = options;
  let pending = [...eventIds];
  let movedAt = Date.now();
  while (pending.length > 0 || !(await stack.isIdle(goesOnForever))) {
    await wait(lookEveryMs, undefined, { signal });
    const left = pending.filter((eventId) => (tally.polledAt.get(eventId) ?? 0) < since);
    if (left.length < pending.length || !(await stack.isIdle(goesOnForever))) movedAt = Date.now();
    if (Date.now() - movedAt > stuckAfterMs) return left;
    pending = left;
  }
  return [];
}
