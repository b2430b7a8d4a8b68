// The settings of a watch that follow the defaults of its tags and its owner, after a change.
import type { WatchChanges } from '#shared/dynamo/watch-changes.ts';
import { type defaultsFor, followedLatency } from '#shared/watchlist/owner-defaults.ts';
import type { InheritableSetting, Watch } from '#shared/watchlist/watch.ts';
import type { WatchChange } from '#shared/watchlist/watch-request.ts';

type Inherited = ReturnType<typeof defaultsFor>;

/** The settings that a change sets or resets to the defaults; only those that differ. */
export function inherit(
  watch: Watch,
  change: Pick<WatchChange, 'channels' | 'latency_seconds' | 'tags'>,
  defaultsOf: (tags: readonly string[]) => Inherited,
  follow = change.tags !== undefined,
): WatchChanges {
  const had = new Set(watch.inherits ?? []);
  const inherits = new Set(had);
  for (const setting of ['channels', 'latency_seconds'] as const) {
    const asked = change[setting];
    if (asked === null) inherits.add(setting);
    else if (asked !== undefined) inherits.delete(setting);
  }
  const defaults = defaultsOf(change.tags ?? watch.tags ?? []);
  const isTaken = (setting: InheritableSetting) =>
    inherits.has(setting) && (follow || change[setting] === null);
  const given = isTaken('channels') ? defaults.channelIds : (change.channels ?? undefined);
  // If the owner's default channels were removed, the watch keeps its channels, so that it still reaches its owner.
  // If the change itself asks for the default, the checks refuse the empty list.
  const isLeft = given?.length === 0 && change.channels !== null;
  const channelIds = isLeft ? undefined : given;
  const latencySeconds = isTaken('latency_seconds')
    ? followedLatency(watch, defaults)
    : (change.latency_seconds ?? undefined);
  const isSame = had.size === inherits.size && [...had].every((each) => inherits.has(each));
  const isNews = channelIds && JSON.stringify(channelIds) !== JSON.stringify(watch.channelIds);
  return {
    ...(isNews && { channelIds: [...new Set(channelIds)] }),
    ...(latencySeconds !== undefined &&
      latencySeconds !== watch.latencySeconds && { latencySeconds }),
    ...(!isSame && { inherits: [...inherits] }),
  };
}
