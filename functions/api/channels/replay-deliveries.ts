// Sends deliveries again: one, or all that a channel failed or missed in a range of time.
import type { Channel } from '#shared/delivery/channel.ts';
import type { Delivery } from '#shared/delivery/delivery.ts';
import type { DeliveryStore } from '#shared/dynamo/deliveries.ts';

interface ReplayDeps {
  deliveries: Pick<DeliveryStore, 'list' | 'replay'>;
  enqueue: (delivery: Delivery) => Promise<void>;
}

/** Deliveries looked at by one replay; what is left is told, so that it can be asked for again. */
const lookedAtOnce = 500;
const looksPerReplay = 10;

/** Two times in ISO form; without `before` it lasts until now. */
export interface ReplayRange {
  since: string;
  before: string | undefined;
}

export interface ReplayResult {
  replayed: number;
  /** Where to go on, if there is more; a time in ISO form. */
  next: string | null;
}

/** Both replays; every `now` is epoch milliseconds. */
export function createReplay({ deliveries, enqueue }: ReplayDeps) {
  return { replay, replaySince };

  /** Sends one finished delivery again. @returns false for one that was sent or is under way. */
  async function replay(delivery: Delivery, now: number): Promise<boolean> {
    if (!(await deliveries.replay(delivery.deliveryId, now))) return false;
    await enqueue(delivery);
    return true;
  }

  /**
   * Sends everything again that a channel failed or missed in a range of time, the newest first.
   * What is older than one replay looks at is left, from `next` on back.
   */
  async function replaySince(
    channel: Channel,
    { since, before }: ReplayRange,
    now: number,
  ): Promise<ReplayResult> {
    const result: ReplayResult = { replayed: 0, next: null };
    // Behind every delivery of that moment.
    let after = before === undefined ? undefined : `${before}~`;
    for (let look = 0; look < looksPerReplay; look += 1) {
      const page = await deliveries.list(channel.ownerId, { limit: lookedAtOnce, after });
      const missed = page.rows.filter((row) => row.ownerSort >= since && isMissed(row, channel));
      const replayed = await Promise.all(missed.map((row) => replay(row, now)));
      result.replayed += replayed.filter(Boolean).length;
      after = page.next;
      if (after === undefined || after < since) return result;
      if (result.replayed >= lookedAtOnce) break;
    }
    return { ...result, next: after?.split('#')[0] ?? null };
  }
}

function isMissed({ status, purpose, channelId }: Delivery, channel: Channel): boolean {
  if (purpose !== 'alert' || channelId !== channel.channelId) return false;
  return status === 'failed' || status === 'skipped';
}
