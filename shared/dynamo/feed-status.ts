// What takes a feed out of regular polling and back into it, and what is noted about it meanwhile.
import { $remove, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { writeIf } from './conditional-write.ts';
import { dueShardOf, type FeedEntity, type FeedKey, feedKeyOf } from './feed-entity.ts';

/** The part of the feed store that changes a feed's status. */
export function createFeedStatus(feeds: FeedEntity) {
  return {
    /** Polls a resting feed again, from now on. */
    revive(feed: FeedKey, now: number): Promise<boolean> {
      return writeIf(() =>
        feeds
          .build(UpdateItemCommand)
          .item({
            ...feedKeyOf(feed),
            ...{ status: 'active', nextPollAt: now, dueShard: dueShardOf(feed), claim: $remove() },
          })
          .options({ condition: { attr: 'status', in: ['ended', 'not_found'] } })
          .send(),
      );
    },

    /** Notes whether a listings feed can hold anything that its rules ask for. */
    async setReach(feed: FeedKey, isOutOfReach: boolean): Promise<void> {
      await writeIf(() =>
        feeds
          .build(UpdateItemCommand)
          .item({ ...feedKeyOf(feed), isOutOfReach })
          .options({ condition: { attr: 'eventId', exists: true } })
          .send(),
      );
    },

    /** Notes when the event starts, and since when watchers know the feed to be unwell. */
    async note(
      feed: FeedKey,
      facts: { eventStartsAt?: number; unwellSince?: number | 'well' },
    ): Promise<void> {
      const { eventStartsAt, unwellSince } = facts;
      await writeIf(() =>
        feeds
          .build(UpdateItemCommand)
          .item({
            ...feedKeyOf(feed),
            ...(eventStartsAt !== undefined && { eventStartsAt }),
            ...(unwellSince !== undefined && {
              unwellSince: unwellSince === 'well' ? $remove() : unwellSince,
            }),
          })
          .options({ condition: { attr: 'eventId', exists: true } })
          .send(),
      );
    },

    /**
     * Takes a feed out of regular polling, for a reason that is its new status. With `lookAt`, epoch
     * milliseconds, it is polled once more then: everything but `idle` has a way back.
     */
    async retire(
      feed: FeedKey,
      status: 'idle' | 'not_found' | 'ended',
      lookAt?: number,
    ): Promise<void> {
      await writeIf(() =>
        feeds
          .build(UpdateItemCommand)
          .item({
            ...feedKeyOf(feed),
            status,
            ...(lookAt === undefined
              ? { dueShard: $remove(), nextPollAt: $remove() }
              : { dueShard: dueShardOf(feed), nextPollAt: lookAt }),
            claim: $remove(),
            call: $remove(),
          })
          .options({ condition: { attr: 'eventId', exists: true } })
          .send(),
      );
    },
  };
}
