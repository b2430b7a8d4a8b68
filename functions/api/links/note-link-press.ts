// Notes in the history of a watch that a reader snoozed, stopped or resumed its alerts at a channel, by a link in a
// message. The channel itself keeps whether it is silent; the settings of the watch stay as they are.
import type { Stores } from '#shared/dynamo/stores.ts';
import type { LinkAct } from '#shared/watchlist/changed-by.ts';
import type { Watch } from '#shared/watchlist/watch.ts';

/** After this many concurrent changes of the watch, its history lacks the press. */
const mostTries = 5;

/** Makes a version with the same settings, once for the same press; `now` is epoch milliseconds. */
export async function noteLinkPress(
  { watches, watchVersions }: Pick<Stores, 'watches' | 'watchVersions'>,
  press: { watch: Watch; channelId: string; act: LinkAct },
  now: number,
): Promise<void> {
  const { channelId, act } = press;
  const marked = {
    changedBy: { way: 'link', channelId, act },
    updatedAt: new Date(now).toISOString(),
  } as const;
  let watch: Watch | undefined = press.watch;
  for (let attempt = 0; watch && attempt < mostTries; attempt += 1) {
    const { removedAt, changedBy } = watch;
    const isNoted = changedBy?.act === act && changedBy.channelId === channelId;
    if (removedAt !== undefined || isNoted) return;
    await watchVersions.keep(watch, now);
    if (await watches.change(watch, marked, now)) return;
    watch = await watches.find(watch.watchId);
  }
}
