// The steps of a feed's poll: claimed, called, settled, released. Each step is one conditional write.
import { $add, $remove, $set, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import type { NextPoll } from '#shared/polling/cadence.ts';
import type { DayCount } from '#shared/polling/day-count.ts';
import type { Feed, FeedFaults } from '#shared/polling/feed.ts';
import type { PriceRecord } from '#shared/polling/price-record.ts';
import type { RecentPrices } from '#shared/polling/recent-prices.ts';
import type { Rhythm } from '#shared/polling/rhythm.ts';
import type { FeedValue } from '#shared/polling/value/feed-value.ts';
import { writeIf, writeOrReplace } from './conditional-write.ts';
import { type FeedEntity, type FeedKey, feedKeyOf, feedReading } from './feed-entity.ts';
import { updateAndRead } from './stored-items.ts';

/** What a finished poll writes under its claim; undefined fields stay unchanged. */
export interface PollRecord {
  nextPollAt: number;
  nextReason: string;
  /** Absent: the time needs no reason in words. */
  nextWhy?: string | undefined;
  failures: number;
  /** A resting feed becomes active again. */
  status?: 'active' | undefined;
  lastPolledAt?: number | undefined;
  lastSnapshotAt?: number | undefined;
  lastPaidAt?: number | undefined;
  rhythm?: Rhythm | undefined;
  distance?: number | undefined;
  /** `many`: too many to list. */
  ownerIds?: string[] | 'many' | undefined;
  watches?: number | undefined;
  owesNudge?: boolean | undefined;
  clockOffsetMs?: number | undefined;
  clockBeforeMs?: number | undefined;
  overlapFrom?: number | undefined;
  paidThrough?: number | undefined;
  wrongStamps?: number[] | undefined;
  lastLiveAt?: number | undefined;
  recent?: RecentPrices | undefined;
  record?: PriceRecord | undefined;
  value?: FeedValue | undefined;
  dayCount?: DayCount | undefined;
  /** All faults that are set aside now; an empty map removes the attribute. */
  setAside?: FeedFaults | undefined;
  /** `found`: the marketplace knows the event again. */
  missing?: Feed['missing'] | 'found' | undefined;
  /** Added to the cost that the subscriptions share. */
  micropulls: number;
  /** Whether this write settles the feed's call. */
  settles: boolean;
}

/** There is no call, or it is damaged and names no claim. */
const noCall = [
  { attr: 'call' as const, exists: false },
  { not: { attr: 'call.claim' as const, type: 'S' as const } },
];

/** The part of the feed store that polls use. */
export function createFeedPolls(feeds: FeedEntity) {
  return {
    /**
     * Claims a due feed until `leaseUntil` by moving it forward in the due index.
     * @returns false when another worker claimed it, or it changed, since it was read.
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
     * Records that a claim's call is being sent now. It replaces an unsettled call of an earlier claim;
     * the caller has recorded that call in the ledger before.
     * @returns false when the claim is lost, or its call was already sent.
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
     * Records a poll under its claim and returns the feed to the due index.
     * @returns the feed after the write; undefined when the claim expired and another worker has it.
     */
    finishPoll: (feed: FeedKey, claim: string, record: PollRecord): Promise<Feed | undefined> =>
      finishPoll(feeds, feed, claim, record),

    /** Records that the evaluation was nudged for the stored snapshots. */
    async clearNudge(feed: FeedKey): Promise<void> {
      await feeds
        .build(UpdateItemCommand)
        .item({ ...feedKeyOf(feed), owesNudge: $remove() })
        .options({ condition: { attr: 'eventId', exists: true } })
        .send();
    },

    /** Makes an active feed due now, unless it is being polled or already due. */
    pollSooner(feed: FeedKey, now: number): Promise<boolean> {
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

    /** Reschedules a waiting feed, unless it was claimed or rescheduled since it was read. */
    reschedule(feed: Feed, { nextPollAt, reason, why }: NextPoll): Promise<boolean> {
      return writeIf(() =>
        feeds
          .build(UpdateItemCommand)
          .item({
            ...{ ...feedKeyOf(feed), nextPollAt, nextReason: reason },
            nextWhy: why ?? $remove(),
          })
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
  const { micropulls, settles, rhythm, recent, record: prices, value, ownerIds, ...rest } = record;
  const { nextWhy, setAside, missing, wrongStamps, dayCount, ...facts } = rest;
  let finished: Feed | undefined;
  const write = (added: ReturnType<typeof $add<number>> | number) => async () => {
    const action = feeds
      .build(UpdateItemCommand)
      .item({
        ...feedKeyOf(feed),
        ...facts,
        ...(rhythm && { rhythm: $set(rhythm) }),
        ...(recent && { recent: $set(recent) }),
        ...(prices && { record: $set(prices) }),
        ...(value && { value: $set(value) }),
        nextWhy: nextWhy ?? $remove(),
        ...(dayCount && { dayCount: $set(dayCount) }),
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
