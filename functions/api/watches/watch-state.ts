// The state of a watch in one word, for filters and counts.
import type { Trigger } from '#shared/rules/trigger.ts';
import type { Watch } from '#shared/watchlist/watch.ts';

/** Every state of a watch; the first that applies. */
export const watchStateTable = {
  ended: 'its event is over, or you bought a ticket',
  paused: 'it is paused',
  snoozed: 'its alerts are recorded and not sent',
  pending: 'a rule waits for confirmation',
  fired: 'a rule has alerted and waits to re-arm',
  armed: 'a rule waits for its level',
  new: 'not evaluated yet',
} as const;

export type WatchState = keyof typeof watchStateTable;

/** The states in the order of the table. */
export const watchStates = Object.keys(watchStateTable) as WatchState[];

/** The state of a watch with these triggers at a time, epoch milliseconds. */
export function watchStateOf(
  { status, snoozedUntil = 0 }: Pick<Watch, 'status' | 'snoozedUntil'>,
  triggers: Iterable<Pick<Trigger, 'state'>>,
  now: number,
): WatchState {
  if (status !== 'active') return status;
  if (snoozedUntil > now) return 'snoozed';
  const states = new Set([...triggers].map(({ state }) => state));
  return (['pending', 'fired', 'armed'] as const).find((state) => states.has(state)) ?? 'new';
}
