/** Waits until a replay is done: every event polled once more, every alert delivered. */
import { setTimeout as wait } from 'node:timers/promises';
import type { LocalStack } from '../local-stack.ts';
import type { Tally } from '../terminal/alert-lines.ts';

/** Polling never ends, so its functions are ignored; the work that it causes ends. */
const goesOnForever = ['dispatch', 'poll', 'reconcile'];

const lookEveryMs = 250;
/**
 * Without progress for this long, the replay is stuck. Longer than the 15 minutes between polls of
 * a feed whose refresh rhythm is unknown (shared/polling/cadence.ts).
 */
export const stuckAfterMs = 16 * 60_000;
const tellEveryMs = 10_000;

export interface DrainOptions {
  stack: Pick<LocalStack, 'isIdle'>;
  tally: Tally;
  eventIds: readonly number[];
  /** A poll of an event counts if it began at this time or later, epoch milliseconds. */
  since: (eventId: number) => number;
  /** Called regularly with the number of events still to be polled and the time waited so far. */
  onWait: (unpolled: number, waitedMs: number) => void;
  signal: AbortSignal;
}

/** @returns how many events were not polled again, and whether the replay is stuck */
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
