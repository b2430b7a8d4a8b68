// Writes a change of a watch: keeps the version before it, then replaces that version in one conditional write. Feeds and
// triggers are updated afterwards, by this request or by reconcile.
import type { Stores } from '#shared/dynamo/stores.ts';
import type { WatchChanges } from '#shared/dynamo/watch-changes.ts';
import type { SendMessages } from '#shared/lambda/queue-sender.ts';
import type { ApplyWatchChange } from '#shared/watchlist/apply-watch-change.ts';
import type { ChangeMark } from '#shared/watchlist/changed-by.ts';
import { evaluationOf, feedsWantedBy, type Watch } from '#shared/watchlist/watch.ts';
import { staleVersion } from '../conventions/if-match.ts';

export interface WriteChangeDeps {
  stores: Pick<Stores, 'watches' | 'watchVersions'>;
  applyWatchChange: ApplyWatchChange;
  sendNudges: SendMessages;
}

export type WriteChange = (watch: Watch, changes: WatchChanges, mark: ChangeMark) => Promise<Watch>;

/** @returns a function that throws a ProblemError when another request changed the watch since it was read. */
export function createWriteChange(deps: WriteChangeDeps): WriteChange {
  const { stores, applyWatchChange, sendNudges } = deps;

  return async function writeChange(watch, changes, { by, now }) {
    await stores.watchVersions.keep(watch, now);
    const marked = { ...changes, changedBy: by, updatedAt: new Date(now).toISOString() };
    const after = await stores.watches.change(watch, marked, now);
    if (!after) throw staleVersion();
    if (after.unsettled === undefined) return after;
    await applyWatchChange(after, now);
    await sendNudges(
      feedsWantedBy(after).map(({ kind }) => ({
        body: evaluationOf(after, kind),
        group: String(after.eventId),
      })),
    );
    return after;
  };
}
