// Changes that subscriptions make to a feed: create it, wake it, set how often it is polled, make it idle.
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { $add, $remove, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import type { Feed } from '#shared/polling/feed.ts';
import { unknownRhythm } from '#shared/polling/rhythm.ts';
import { isNoNumber, isStillOrNoNumber, writeIf, writeOrReplace } from './conditional-write.ts';
import { dueShardOf, type FeedEntity, type FeedKey, feedKeyOf } from './feed-entity.ts';

interface Wake {
  latencySeconds: number;
  wishVersion: ReturnType<typeof $add<1>> | number;
  /** Epoch milliseconds. */
  now: number;
}

/** The part of the feed store that subscriptions use. */
export function createFeedWakes(feeds: FeedEntity) {
  return {
    /**
     * Makes sure that a feed is polled now, and at least as often as wished: a missing feed is created, an
     * idle one becomes active, an active one becomes due unless it is being polled. Safe to repeat.
     * @param known the feed as it was just read; if it is still the same, one write is enough.
     */
    async wake(
      feed: FeedKey,
      latencySeconds: number,
      now: number,
      known?: Feed | undefined,
    ): Promise<void> {
      if (known && (await wakeKnown(feeds, known, latencySeconds, now))) return;
      if (await create(feeds, feed, latencySeconds, now)) return;
      let isAwake = false;
      const wake = (wishVersion: Wake['wishVersion']) => () =>
        wakeOnce(feeds, feed, { latencySeconds, wishVersion, now });
      const place = { what: 'feed', ids: { eventId: String(feed.eventId), kind: feed.kind } };
      // Any other version also shows that the subscriptions changed.
      while (!isAwake) isAwake = await writeOrReplace(place, wake($add(1)), wake(now));
    },

    /**
     * Sets the latency of the strongest subscription, or makes a feed without subscriptions (undefined) idle, unless its
     * subscriptions changed since `feed` was read.
     */
    setLatency(feed: Feed, latencySeconds: number | undefined): Promise<boolean> {
      const change =
        latencySeconds === undefined
          ? ({
              status: 'idle',
              dueShard: $remove(),
              nextPollAt: $remove(),
              claim: $remove(),
            } as const)
          : { latencySeconds };
      return writeIf(() =>
        feeds
          .build(UpdateItemCommand)
          .item({ ...feedKeyOf(feed), ...change, wishVersion: feed.wishVersion + 1 })
          .options({ condition: isStillOrNoNumber('wishVersion' as const, feed.wishVersion) })
          .send(),
      );
    },
  };
}

function create(
  feeds: FeedEntity,
  feed: FeedKey,
  latencySeconds: number,
  now: number,
): Promise<boolean> {
  return writeIf(() =>
    feeds
      .build(PutItemCommand)
      .item({
        ...feedKeyOf(feed),
        status: 'active',
        nextPollAt: now,
        nextReason: 'new',
        latencySeconds,
        wishVersion: 1,
        failures: 0,
        rhythm: unknownRhythm,
        sharedMicropulls: 0,
        watchersChangedAt: now,
        dueShard: dueShardOf(feed),
      })
      .options({ condition: { attr: 'eventId', exists: false } })
      .send(),
  );
}

/** @returns false when the feed's status or subscriptions changed since it was read, or its poll began. */
function wakeKnown(
  feeds: FeedEntity,
  known: Feed,
  latencySeconds: number,
  now: number,
): Promise<boolean> {
  const { status, wishVersion, claim, nextPollAt = 0 } = known;
  const isBeingPolled = claim !== undefined && nextPollAt > now;
  const isSooner = status !== 'active' || latencySeconds < known.latencySeconds;
  return writeIf(() =>
    feeds
      .build(UpdateItemCommand)
      .item({
        ...feedKeyOf(known),
        status: 'active',
        watchersChangedAt: now,
        wishVersion: wishVersion + 1,
        dueShard: dueShardOf(known),
        ...(isSooner && { latencySeconds }),
        ...(!isBeingPolled && { nextPollAt: now }),
      })
      .options({
        condition: {
          and: [
            { attr: 'wishVersion', eq: wishVersion },
            { attr: 'status', eq: status },
            // A poll that ended since has set a time that does not count this subscription.
            isBeingPolled ? ({ attr: 'claim', eq: claim } as const) : isNotPolledAt(now),
          ],
        },
      })
      .send(),
  );
}

/** The condition that no worker polls the feed at a time (epoch ms), so that the feed may become due. */
function isNotPolledAt(now: number) {
  return {
    or: [
      { attr: 'claim' as const, exists: false },
      { attr: 'nextPollAt' as const, exists: false },
      { attr: 'nextPollAt' as const, lte: now },
    ],
  };
}

/** @returns false when the feed became idle after its own latency was found short enough. */
async function wakeOnce(
  feeds: FeedEntity,
  feed: FeedKey,
  { latencySeconds, wishVersion, now }: Wake,
): Promise<boolean> {
  const woken = {
    ...feedKeyOf(feed),
    status: 'active',
    watchersChangedAt: now,
    wishVersion,
    dueShard: dueShardOf(feed),
  } as const;
  const isLatencySet = await writeIf(() =>
    feeds
      .build(UpdateItemCommand)
      .item({ ...feedKeyOf(feed), latencySeconds })
      .options({
        condition: {
          or: [
            { attr: 'latencySeconds', gt: latencySeconds },
            isNoNumber('latencySeconds' as const),
            { attr: 'status', ne: 'active' },
          ],
        },
      })
      .send(),
  );
  // If the feed's own latency was kept, then only because the feed was active.
  const sameStatus = isLatencySet ? [] : [{ attr: 'status', eq: 'active' } as const];
  const isDue = await writeIf(() =>
    feeds
      .build(UpdateItemCommand)
      .item({ ...woken, nextPollAt: now })
      .options({
        condition: {
          and: [...sameStatus, isNotPolledAt(now)],
        },
      })
      .send(),
  );
  if (isDue) return true;
  return writeIf(() =>
    feeds
      .build(UpdateItemCommand)
      .item(woken)
      .options({ condition: { and: [{ attr: 'eventId', exists: true }, ...sameStatus] } })
      .send(),
  );
}
