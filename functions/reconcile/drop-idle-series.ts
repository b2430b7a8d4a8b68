// Drops the series that no trigger of an event needs any more, so that they are no longer computed. An event
// without an active feed computes nothing, and keeps its series until it is watched again.

import type { SeriesInUse, SeriesInUseStore } from '#shared/dynamo/series-in-use.ts';
import { shardOf } from '#shared/dynamo/shard.ts';
import type { TriggerStore } from '#shared/dynamo/triggers.ts';
import { inLots } from '#shared/lambda/in-lots.ts';
import type { Feed } from '#shared/polling/feed.ts';
import { timing } from '#shared/timing.ts';
import { alone } from './each-alone.ts';
import { lotOfTurn, shardOfTurn } from './turns.ts';

interface DropIdleSeriesDeps {
  seriesInUse: Pick<SeriesInUseStore, 'list' | 'mark' | 'unmark' | 'drop'>;
  triggers: Pick<TriggerStore, 'findAnyOn'>;
}

/** Events per run: each costs a read, and up to six more per series and shard. */
const eventsPerRun = 100;
/** Events processed together. */
const eventsAtOnce = 10;

/**
 * The use case; `now` is epoch milliseconds. A series that no trigger needs is marked, and
 * dropped when a later run finds the mark and still no such trigger. By then every request that needed the
 * series has made its trigger, and the index shows it.
 * Making a trigger removes the mark first, so a drop never takes a series from a trigger that is being made.
 */
export function createDropIdleSeries({ seriesInUse, triggers }: DropIdleSeriesDeps) {
  return async function dropIdleSeries(active: readonly Feed[], now: number) {
    const done = { marked: 0, dropped: 0 };
    await inLots(eventsOfTurn(active, now), eventsAtOnce, (eventId) =>
      alone({ step: 'series', ids: { eventId } }, async () => {
        for (const row of await seriesInUse.list(eventId)) {
          const what = await look(row, now);
          if (what !== undefined) done[what] += 1;
        }
      }),
    );
    return done;
  };

  async function look(row: SeriesInUse, now: number): Promise<'marked' | 'dropped' | undefined> {
    if (row.askedBy === undefined) return undefined;
    const isAsked = await triggers.findAnyOn(row.eventId, row.askedBy);
    if (isAsked) await keep(row);
    else if (row.idleSince === undefined) {
      return (await seriesInUse.mark(row, now)) ? 'marked' : undefined;
    } else if (now - row.idleSince >= timing.orphanAfterMs) {
      return (await seriesInUse.drop(row)) ? 'dropped' : undefined;
    }
    return undefined;
  }

  async function keep(row: SeriesInUse): Promise<void> {
    if (row.idleSince !== undefined) await seriesInUse.unmark(row);
  }
}

/** As many events of the current shard as a run handles; the shard's next turn continues. */
function eventsOfTurn(active: readonly Feed[], now: number): number[] {
  const shard = shardOfTurn(now);
  const ids = new Set(active.map(({ eventId }) => eventId));
  const events = [...ids].filter((id) => shardOf(String(id)) === shard).sort((a, b) => a - b);
  return lotOfTurn(events, eventsPerRun, now);
}
