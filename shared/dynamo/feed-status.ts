// Ends and resumes a feed's regular polling, and records facts about it.
import { $remove, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { writeIf } from './conditional-write.ts';
import { dueShardOf, type FeedEntity, type FeedKey, feedKeyOf } from './feed-entity.ts';

/** The part of the feed store that changes a feed's status. */
export function createFeedStatus(feeds: FeedEntity) {
  return {
    /** Makes a resting feed active again, from now on. */
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

    /** Records whether a listings feed can contain anything that its rules need. */
    async setReach(feed: FeedKey, isOutOfReach: boolean): Promise<void> {
      await writeIf(() =>
        feeds
          .build(UpdateItemCommand)
          .item({ ...feedKeyOf(feed), isOutOfReach })
          .options({ condition: { attr: 'eventId', exists: true } })
          .send(),
      );
    },

    /** Records when the event starts, and since when watchers know that the feed is unhealthy. */
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
     * Ends regular polling; the reason becomes the feed's status. With `lookAt` (epoch
     * milliseconds) the feed is polled once at that time: every status except `idle` can be reversed.
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
