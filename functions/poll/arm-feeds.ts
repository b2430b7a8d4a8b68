// The cheap call decides whether an expensive call is worth making now: after each snapshot of a cheap feed,
// the feeds that it arms are polled at once if a rule may be within reach, and rarely otherwise.
import type { FeedStore } from '#shared/dynamo/feeds.ts';
import { isTransient } from '#shared/lambda/transient.ts';
import { metricsFeed } from '#shared/polling/feed-kinds.ts';
import { decideListingReach } from '#shared/polling/listing-reach.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import type { Snapshot } from '#shared/rules/sources/sources.ts';
import type { LookAhead, Outlook } from './look-ahead.ts';

/** The outlook at the newest snapshot; undefined for a snapshot without metrics. */
export async function outlookAt(
  lookAhead: LookAhead,
  newest: Snapshot | undefined,
): Promise<(Outlook & { snapshot: MarketSnapshot }) | undefined> {
  if (newest?.feedKind !== metricsFeed) return undefined;
  try {
    return { ...(await lookAhead(newest.eventId, newest)), snapshot: newest };
  } catch (error) {
    // The outlook only makes polling cheaper, so a damaged trigger must not stop the event's polling.
    if (isTransient(error)) throw error;
    return undefined;
  }
}

/** Sets the reach of every feed in the outlook, and makes those due that have a rule within reach. */
export async function armFeeds(
  feeds: Pick<FeedStore, 'pollSooner' | 'setReach'>,
  { reaches, snapshot }: Outlook & { snapshot: MarketSnapshot },
  now: number,
): Promise<void> {
  const { eventId } = snapshot;
  for (const [kind, ofKind] of reaches) {
    const isOutOfReach = decideListingReach(ofKind, snapshot) === 'out_of_reach';
    await feeds.setReach({ eventId, kind }, isOutOfReach);
    if (!isOutOfReach) await feeds.pollSooner({ eventId, kind }, now);
  }
}
