/** Waits until a replay has come through: every event polled once more, every alert out. */
import { setTimeout as wait } from 'node:timers/promises';
import type { LocalStack } from '../local-stack.ts';
import type { Tally } from '../terminal/alert-lines.ts';

/** Polling never comes to rest; what it found does. */
const goesOnForever = ['dispatch', 'poll', 'reconcile'];

const lookEveryMs = 250;
/**
 * Nothing moving for so long means that something is stuck. Longer than the 15 minutes that polling
 * may leave a feed whose rhythm it doesn't know (shared/polling/cadence.ts).
 */
export const stuckAfterMs = 16 * 60_000;
const tellEveryMs = 10_000;

export interface DrainOptions {
  stack: Pick<LocalStack, 'isIdle'>;
  tally: Tally;
  eventIds: readonly number[];
  /** A poll of an event counts when it began at this time or later, epoch milliseconds. */
  since: (eventId: number) => number;
  /** Told now and then how many events are still to be polled, and for how long this has lasted. */
  onWait: (unpolled: number, waitedMs: number) => void;
  signal: AbortSignal;
}

/** @returns how many events were not polled again, and whether it came to a standstill */
export async function untilDrained(
  options: DrainOptions,
): Promise<{ unpolled: number; isStuck: boolean }> {
  const { stack, tally, eventIds, since, onWait, signal } = options;
  const countUnpolled = (): number =>
    eventIds.filter((eventId) => (tally.polledAt.get(eventId) ?? 0) < since(eventId)).length;
  let unpolled = countUnpolled();
  let seen = '';
  const beganAt = Date.now();
  let movedAt = beganAt;
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
    onWait(unpolled, Date.now() - beganAt);
  }
  return { unpolled, isStuck: false };
}
