/** Waits until a replay has come through: every event polled once more, every alert out. */
import { setTimeout as wait } from 'node:timers/promises';
import type { LocalStack } from '../local-stack.ts';
import type { Tally } from '../terminal/alert-lines.ts';

/** Polling never comes to rest; what it found does. */
const goesOnForever = ['dispatch', 'poll', 'reconcile'];

const lookEveryMs = 250;
/** Nothing moving for so long means that something is stuck. */
const stuckAfterMs = 120_000;
const tellEveryMs = 10_000;

export interface DrainOptions {
  stack: Pick<LocalStack, 'isIdle'>;
  tally: Tally;
  eventIds: readonly number[];
  /** Polls count from here on, epoch milliseconds. */
  since: number;
  /** Told now and then how many events are still to be polled. */
  onWait: (unpolled: number) => void;
  signal: AbortSignal;
}

/** @returns how many events were not polled again, and whether it came to a standstill */
export async function untilDrained(
  options: DrainOptions,
): Promise<{ unpolled: number; isStuck: boolean }> {
  const { stack, tally, eventIds, since, onWait, signal } = options;
  const countUnpolled = (): number =>
    eventIds.filter((eventId) => (tally.polledAt.get(eventId) ?? 0) < since).length;
  let unpolled = countUnpolled();
  let seen = '';
  let movedAt = Date.now();
  let toldAt = Date.now();
  while (unpolled > 0 || !(await stack.isIdle(goesOnForever))) {
    await wait(lookEveryMs, undefined, { signal });
    unpolled = countUnpolled();
    const { alerts, delivered, deliveriesFailed, snapshotsStored } = tally;
    const now = [unpolled, alerts, delivered, deliveriesFailed, snapshotsStored].join();
    if (now !== seen) movedAt = Date.now();
    seen = now;
    if (Date.now() - movedAt > stuckAfterMs) return { unpolled, isStuck: true };
    if (Date.now() - toldAt < tellEveryMs) continue;
    toldAt = Date.now();
    onWait(unpolled);
  }
  return { unpolled, isStuck: false };
}
