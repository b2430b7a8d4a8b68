// Finds the watches that have no working channel after a channel is lost, and tells their owner by another
// channel, so that polling is not paid for without alerts unnoticed.
import { reachesNobody } from '#shared/watchlist/trouble.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import type { Channel } from './channel.ts';
import { type ChannelReads, readChannelCondition } from './channel-condition.ts';
import { storableChannelTitle } from './message/channel-title.ts';
import type { OwnerNotice } from './message/message-kinds.ts';
import type { TellOwner } from './tell-owner.ts';

interface FindUnreachedDeps extends ChannelReads {
  listWatches: (ownerId: string) => Promise<Watch[]>;
}

/**
 * The owner's active watches that use the channel and now have no working channel.
 * @param lost the channel; with `isGone`, treat it as deleted.
 */
export type FindUnreached = (
  lost: Pick<Channel, 'channelId' | 'ownerId'>,
  at: { now: number; isGone?: boolean },
) => Promise<Watch[]>;

export function createFindUnreached(deps: FindUnreachedDeps): FindUnreached {
  return async function findUnreached({ channelId: lostId, ownerId }, { now, isGone = false }) {
    const watches = (await deps.listWatches(ownerId)).filter(
      ({ status, channelIds }) => status === 'active' && channelIds.includes(lostId),
    );
    const ids = new Set(
      watches.flatMap(({ channelIds, fallbackChannelId }) =>
        fallbackChannelId === undefined ? channelIds : [...channelIds, fallbackChannelId],
      ),
    );
    const known = await readAll(deps, ids);
    await readAll(deps, fallbacksOf(known), known);
    const conditionOf = (channelId: string) =>
      isGone && channelId === lostId
        ? { channelId, channel: undefined }
        : (known.get(channelId)?.condition ?? { channelId, channel: undefined });
    return watches.filter((watch) => {
      const { channelIds, fallbackChannelId } = watch;
      const own = channelIds.flatMap((id) => known.get(id)?.channel?.fallbackChannelId ?? []);
      const fallbackIds = [fallbackChannelId ?? [], own].flat();
      return reachesNobody({
        watch,
        channels: channelIds.map(conditionOf),
        fallbacks: fallbackIds.filter((id) => !channelIds.includes(id)).map(conditionOf),
        now,
      });
    });
  };
}

type Known = Map<string, Awaited<ReturnType<typeof readChannelCondition>>>;

async function readAll(
  reads: ChannelReads,
  ids: Iterable<string>,
  known: Known = new Map(),
): Promise<Known> {
  const wanted = [...new Set(ids)].filter((id) => !known.has(id));
  const found = await Promise.all(wanted.map((id) => readChannelCondition(reads, id)));
  for (const each of found) known.set(each.condition.channelId, each);
  return known;
}

function fallbacksOf(known: Known): string[] {
  return [...known.values()].flatMap(({ channel }) => channel?.fallbackChannelId ?? []);
}

/** How the channel was lost. */
export type Loss = 'deleted' | 'muted' | 'unsubscribed';

const lossWords: Record<Loss, string> = {
  deleted: 'has been deleted',
  muted: 'is muted for it by its reader',
  unsubscribed: 'was unsubscribed by its reader',
};

/** How many watches a notice names; the rest are counted. */
const mostNamed = 10;

/** The notice about a lost channel. @param watches at least one, each without another channel that works. */
export function unreachedNotice(
  channel: Channel,
  watches: readonly NamedWatch[],
  loss: Loss,
): OwnerNotice {
  const after =
    loss === 'deleted'
      ? 'They have been paused, so they are not polled. Give them another channel and resume them.'
      : stillPolled;
  return {
    headline: `${countText(watches)} can’t alert you: your ${storableChannelTitle(channel)} ${lossWords[loss]}`,
    paragraphs: [namesText(watches), after],
  };
}

type NamedWatch = Pick<Watch, 'watchId' | 'name' | 'eventId'>;

/** The paragraphs of a notice about watches without a working channel; empty if there are none. */
export function unreachedParagraphs(watches: readonly NamedWatch[]): string[] {
  if (watches.length === 0) return [];
  return [`${countText(watches)} can’t alert you now. ${namesText(watches)}`, stillPolled];
}

const stillPolled = 'They are still polled. Give them another channel, or pause them.';

function countText({ length }: readonly NamedWatch[]): string {
  return length === 1 ? '1 watch' : `${length} watches`;
}

function namesText(watches: readonly NamedWatch[]): string {
  const named = watches
    .slice(0, mostNamed)
    .map(({ watchId, name, eventId }) => `${name ?? `event ${eventId}`} (${watchId})`);
  const more = watches.length > mostNamed ? ` and ${watches.length - mostNamed} more` : '';
  return `No other channel of these works: ${named.join(', ')}${more}.`;
}

const dayMs = 24 * 3_600_000;

interface LostChannel {
  /** As it is now. */
  channel: Channel;
  loss: Exclude<Loss, 'deleted'>;
  /** Only this watch lost the channel; without it, all of the channel's watches did. */
  watchId?: string;
}

/** Tells the owner if watches have no working channel after the loss; returns those watches. */
export type TellUnreached = (lost: LostChannel, now: number) => Promise<Watch[]>;

export function createTellUnreached(deps: {
  findUnreached: FindUnreached;
  tellOwner: TellOwner;
}): TellUnreached {
  return async function tellUnreached({ channel, loss, watchId: lostBy }, now) {
    const unreached = await deps.findUnreached(channel, { now });
    const watches = unreached.filter(({ watchId }) => lostBy === undefined || watchId === lostBy);
    if (watches.length === 0) return [];
    const { ownerId, channelId, revision = 0 } = channel;
    // Muting leaves the revision as it is, and the same watch may be muted again later.
    const name = lostBy === undefined ? loss : `${loss}#${lostBy}#${Math.floor(now / dayMs)}`;
    await deps.tellOwner({
      ownerId,
      subject: `unreached#${channelId}#${name}#${revision}`,
      notice: unreachedNotice(channel, watches, loss),
      exceptChannelId: channelId,
      now,
    });
    return watches;
  };
}
