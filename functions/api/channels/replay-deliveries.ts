// Sends deliveries again: one delivery, or all that a channel failed or missed in a time range.
import type { Channel } from '#shared/delivery/channel.ts';
import type { Delivery } from '#shared/delivery/delivery.ts';
import type { DeliveryStore } from '#shared/dynamo/deliveries.ts';
import { isExpired } from '#shared/retention.ts';

interface ReplayDeps {
  deliveries: Pick<DeliveryStore, 'list' | 'replay'>;
  enqueue: (delivery: Delivery) => Promise<void>;
}

/** Maximum number of deliveries read by one replay; the answer says where to continue. */
const lookedAtOnce = 500;
const looksPerReplay = 10;

/** Two ISO times; without `before` the range ends now. */
export interface ReplayRange {
  since: string;
  before: string | undefined;
}

export interface ReplayResult {
  replayed: number;
  /** Where to continue if there is more; an ISO time. */
  next: string | null;
}

/** Both replays; every `now` is epoch milliseconds. */
export function createReplay({ deliveries, enqueue }: ReplayDeps) {
  return { replay, replaySince };

  /** Sends one finished delivery again. @returns false if it was sent or is still running. */
  async function replay(delivery: Delivery, now: number): Promise<boolean> {
    if (!(await deliveries.replay(delivery.deliveryId, now))) return false;
    await enqueue(delivery);
    return true;
  }

  /**
   * Sends again every delivery that a channel failed or missed in a time range, newest first.
   * If there are more than one replay reads, `next` is the time before which the others are.
   */
  async function replaySince(
    channel: Channel,
    { since, before }: ReplayRange,
    now: number,
  ): Promise<ReplayResult> {
    const result: ReplayResult = { replayed: 0, next: null };
    // Sorts after every delivery of that moment.
    let after = before === undefined ? undefined : `${before}~`;
    for (let look = 0; look < looksPerReplay; look += 1) {
      const page = await deliveries.list(channel.ownerId, { limit: lookedAtOnce, after });
      const missed = page.rows.filter(
        (row) => row.ownerSort >= since && isMissed(row, channel, now),
      );
      const replayed = await Promise.all(missed.map((row) => replay(row, now)));
      result.replayed += replayed.filter(Boolean).length;
      after = page.next;
      if (after === undefined || after < since) return result;
      if (result.replayed >= lookedAtOnce) break;
    }
    return { ...result, next: after?.split('#')[0] ?? null };
  }
}

function isMissed(delivery: Delivery, channel: Channel, now: number): boolean {
  const { status, purpose, channelId } = delivery;
  if (purpose !== 'alert' || channelId !== channel.channelId) return false;
  if (isExpired(delivery, now)) return false;
  return status === 'failed' || status === 'skipped';
}
