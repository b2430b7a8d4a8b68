// Finishes a poll with all that its feed remembers of the news, or without what can't be stored.
import type { PollRecord } from '#shared/dynamo/feed-polls.ts';
import type { FeedStore } from '#shared/dynamo/feeds.ts';
import { reasonOf, reportFault } from '#shared/fault-report.ts';
import { isTransient } from '#shared/lambda/transient.ts';
import type { Feed } from '#shared/polling/feed.ts';

/**
 * A memory that can't be stored only plans and describes later polls, so it is left out, and the news counts.
 * @returns the feed after the write; undefined when the claim expired and another worker has it.
 */
export async function finishWithMemory(
  feeds: Pick<FeedStore, 'finishPoll'>,
  { feed, claim, record }: { feed: Feed; claim: string; record: PollRecord },
): Promise<Feed | undefined> {
  try {
    return await feeds.finishPoll(feed, claim, record);
  } catch (error) {
    if (isTransient(error)) throw error;
    const { eventId, kind } = feed;
    const reason = `The memory of a feed can't be stored: ${reasonOf(error)}`;
    reportFault({ thing: 'stored_item', reason, ids: { eventId, kind }, error });
    const { value, recent, record: prices, distance, ...needed } = record;
    return feeds.finishPoll(feed, claim, needed);
  }
}
