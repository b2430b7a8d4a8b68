// Two policies without knowledge of the market: every watch polls its event every five minutes, or every
// event is polled every five minutes. With a cap they poll until the day's pulls are used up.
import type { Market } from './market.ts';
import type { Heard, Watcher } from './watchers.ts';

const minuteMs = 60_000;
const everyMs = 5 * minuteMs;

export interface NaiveRun {
  calls: number;
  pulls: number;
  /** Per alert, when it was sent; undefined if never. */
  toldAt: (number | undefined)[];
}

interface Poller {
  eventId: number;
  watchId: string | undefined;
  phase: number;
}

/**
 * Runs one policy. A pull is charged if something was logged since the event's last paid one; a poll
 * without new data is free (api.md, stats billing), and returns data that any poll has paid for.
 * @param dailyCap pulls per day; Infinity for no cap.
 */
export function runNaive(
  market: Market,
  watchers: readonly Watcher[],
  heard: readonly Heard[],
  o: { by: 'watch' | 'event'; dailyCap: number },
): NaiveRun {
  const pollers = pollersOf(watchers, o.by);
  const newest = market.events.map((event) => ({ event, index: -1, paidAt: -1 }));
  const states = new Map(newest.map((state) => [state.event.eventId, state]));
  const eventOf = new Map(watchers.map(({ watchId, eventId }) => [watchId, eventId]));
  const waiting = new Map<string, { index: number; heard: Heard }[]>();
  for (const [index, each] of heard.entries()) {
    const eventId = eventOf.get(each.watchId);
    const key = o.by === 'watch' ? each.watchId : String(eventId);
    waiting.set(key, [...(waiting.get(key) ?? []), { index, heard: each }]);
  }
  const run: NaiveRun = { calls: 0, pulls: 0, toldAt: heard.map(() => undefined) };
  let spentToday = 0;
  for (let now = market.startMs; now < market.endMs; now += minuteMs) {
    if ((now - market.startMs) % 86_400_000 === 0) spentToday = 0;
    const phase = (now / minuteMs) % (everyMs / minuteMs);
    for (const poller of pollers[phase] ?? []) {
      const state = states.get(poller.eventId);
      if (!state || now >= state.event.startsAt) continue;
      if (spentToday >= o.dailyCap) break;
      run.calls += 1;
      const { series } = state.event;
      while ((series[state.index + 1]?.observedAt ?? Number.POSITIVE_INFINITY) <= now)
        state.index += 1;
      if (state.index > state.paidAt) {
        state.paidAt = state.index;
        run.pulls += 1;
        spentToday += 1;
      }
      const seen = series[state.paidAt]?.observedAt ?? 0;
      const queue = waiting.get(poller.watchId ?? String(poller.eventId));
      while (queue?.[0] && queue[0].heard.observedAt <= seen) {
        const told = queue.shift();
        if (told) run.toldAt[told.index] = now;
      }
    }
  }
  return run;
}

/** The pollers in each of the five minutes. */
function pollersOf(watchers: readonly Watcher[], by: 'watch' | 'event'): Poller[][] {
  const phases = everyMs / minuteMs;
  const all: Poller[] =
    by === 'watch'
      ? watchers.map(({ eventId, watchId }, index) => ({ eventId, watchId, phase: index % phases }))
      : [...new Set(watchers.map(({ eventId }) => eventId))].map((eventId, index) => ({
          ...{ eventId, watchId: undefined, phase: index % phases },
        }));
  return Array.from({ length: phases }, (_, phase) => all.filter((each) => each.phase === phase));
}
