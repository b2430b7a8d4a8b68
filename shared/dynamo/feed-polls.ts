// A feed's way through a poll: claimed, called, settled, given back. Each move is one conditional write.
import { $add, $remove, $set, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import type { Feed, FeedFaults } from '#shared/polling/feed.ts';
import type { Rhythm } from '#shared/polling/rhythm.ts';
import { writeIf, writeOrReplace } from './conditional-write.ts';
import { type FeedEntity, type FeedKey, feedKeyOf, feedReading } from './feed-entity.ts';
import { updateAndRead } from './stored-items.ts';

/** What a finished poll writes back, under its claim; what is undefined stays as it is. */
export interface PollRecord {
  nextPollAt: number;
  nextReason: string;
  failures: number;
  /** A resting feed becomes active again. */
  status?: 'active' | undefined;
  lastPolledAt?: number | undefined;
  lastSnapshotAt?: number | undefined;
  lastPaidAt?: number | undefined;
  rhythm?: Rhythm | undefined;
  distance?: number | undefined;
  /** `many`: too many to name. */
  ownerIds?: string[] | 'many' | undefined;
  watches?: number | undefined;
  owesNudge?: boolean | undefined;
  clockOffsetMs?: number | undefined;
  overlapFrom?: number | undefined;
  paidThrough?: number | undefined;
  wrongStamps?: number[] | undefined;
  lastLiveAt?: number | undefined;
  /** Every fault that is set aside now; none takes the attribute away. */
  setAside?: FeedFaults | undefined;
  /** `found`: the marketplace knows the event again. */
  missing?: Feed['missing'] | 'found' | undefined;
  /** Added to what the wishes share. */
  micropulls: number;
  /** Whether the feed's call is settled by this record. */
  settles: boolean;
}

/** There is none, or it is damaged so that it names no claim. */
const noCall = [
  { attr: 'call' as const, exists: false },
  { not: { attr: 'call.claim' as const, type: 'S' as const } },
];

/** The part of the feed store that polls use. */
export function createFeedPolls(feeds: FeedEntity) {
  return {
    /**
     * Claims a due feed until `leaseUntil` by pushing it forward in the due index.
     * @returns false when somebody else claimed it, or it changed, since it was read.
     */
    claim(feed: Feed, claim: string, leaseUntil: number): Promise<boolean> {
      return writeIf(() =>
        feeds
          .build(UpdateItemCommand)
          .item({ ...feedKeyOf(feed), claim, nextPollAt: leaseUntil })
          .options({
            condition: {
              and: [
                { attr: 'status', ne: 'idle' },
                { attr: 'nextPollAt', eq: feed.nextPollAt ?? 0 },
              ],
            },
          })
          .send(),
      );
    },

    /**
     * Notes that a claim's call goes out now. A call of an earlier claim that was never settled is
     * replaced; the caller has noted it in the ledger before.
     * @returns false when the claim is not held any more, or its call is out already.
     */
    beginCall(feed: Feed, claim: string, at: number): Promise<boolean> {
      return writeIf(() =>
        feeds
          .build(UpdateItemCommand)
          .item({ ...feedKeyOf(feed), call: $set({ claim, at }) })
          .options({
            condition: {
              and: [
                { attr: 'claim', eq: claim },
                feed.call ? { attr: 'call.claim', eq: feed.call.claim } : { or: noCall },
              ],
            },
          })
          .send(),
      );
    },

    /**
     * Records a poll under its claim and gives the feed back to the due index.
     * @returns the feed as it is now; undefined when the claim had run out and somebody else holds it.
     */
    finishPoll: (feed: FeedKey, claim: string, record: PollRecord): Promise<Feed | undefined> =>
      finishPoll(feeds, feed, claim, record),

    /** The evaluation has been told of what is stored. */
    async clearNudge(feed: FeedKey): Promise<void> {
      await feeds
        .build(UpdateItemCommand)
        .item({ ...feedKeyOf(feed), owesNudge: $remove() })
        .options({ condition: { attr: 'eventId', exists: true } })
        .send();
    },

    /** Makes an active feed due now, unless it is being polled or due already. */
    hasten(feed: FeedKey, now: number): Promise<boolean> {
      return writeIf(() =>
        feeds
          .build(UpdateItemCommand)
          .item({ ...feedKeyOf(feed), nextPollAt: now })
          .options({
            condition: {
              and: [
                { attr: 'status', eq: 'active' },
                { attr: 'claim', exists: false },
                { attr: 'nextPollAt', gt: now },
              ],
            },
          })
          .send(),
      );
    },

    /** Moves a waiting feed's next poll, unless it was claimed or moved since it was read. */
    reschedule(feed: Feed, nextPollAt: number): Promise<boolean> {
      return writeIf(() =>
        feeds
          .build(UpdateItemCommand)
          .item({ ...feedKeyOf(feed), nextPollAt })
          .options({
            condition: {
              and: [
                { attr: 'status', eq: 'active' },
                { attr: 'claim', exists: false },
                { attr: 'nextPollAt', eq: feed.nextPollAt ?? 0 },
              ],
            },
          })
          .send(),
      );
    },
  };
}

function isEmpty(faults: FeedFaults): boolean {
  return Object.keys(faults).length === 0;
}

async function finishPoll(
  feeds: FeedEntity,
  feed: FeedKey,
  claim: string,
  record: PollRecord,
): Promise<Feed | undefined> {
  const { micropulls, settles, rhythm, ownerIds, setAside, missing, wrongStamps, ...facts } =
    record;
  let finished: Feed | undefined;
  const write = (added: ReturnType<typeof $add<number>> | number) => async () => {
    const action = feeds
      .build(UpdateItemCommand)
      .item({
        ...feedKeyOf(feed),
        ...facts,
        ...(rhythm && { rhythm: $set(rhythm) }),
        ...(wrongStamps && { wrongStamps: $set(wrongStamps) }),
        ...(setAside && { setAside: isEmpty(setAside) ? $remove() : $set(setAside) }),
        ...(missing && { missing: missing === 'found' ? $remove() : $set(missing) }),
        ...(ownerIds && { ownerIds: ownerIds === 'many' ? $remove() : $set(ownerIds) }),
        ...(micropulls > 0 && { sharedMicropulls: added }),
        ...(settles && { call: $remove() }),
        claim: $remove(),
      })
      .options({ condition: { attr: 'claim', eq: claim }, returnValues: 'ALL_NEW' });
    finished = await updateAndRead(action, feedReading(feeds));
  };
  const place = { what: 'feed', ids: { eventId: String(feed.eventId), kind: feed.kind } };
  await writeIf(() => writeOrReplace(place, write($add(micropulls)), write(micropulls)));
  return finished;
}
