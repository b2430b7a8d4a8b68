// Effects of a failed call on all feeds: the pause, the breaker, and the notices to the operator.
import type { MarketStateStore } from '#shared/dynamo/market-state.ts';
import type { Failure } from '#shared/polling/failure.ts';
import type { Feed } from '#shared/polling/feed.ts';
import { countFault, type MarketState, pauseFor } from '#shared/polling/market-state.ts';
import { operatorNotice } from '#shared/polling/notice.ts';
import { badDataText, marketplaceDownText, pausedText } from '#shared/polling/notice-texts.ts';
import type { Notify } from '#shared/polling/notify.ts';
import { ledgerDay } from '#shared/polling/pull.ts';

interface MarketFailureDeps {
  marketState: Pick<MarketStateStore, 'change'>;
  notify: Notify;
}

/** The feed whose call failed, and when, epoch milliseconds. */
interface FailureMet {
  feed: Pick<Feed, 'kind'>;
  now: number;
}

/** @returns one function for each kind of failure that affects all feeds. */
export function createMarketFailure({ marketState, notify }: MarketFailureDeps) {
  return { pause, countMarketFault, tellBadData };

  /** All charged polls wait until the marketplace accepts one again. */
  async function pause(
    { now }: FailureMet,
    { reason, code, topUpUrl }: Extract<Failure, { kind: 'pause' }>,
  ): Promise<void> {
    const { after } = await marketState.change((state) =>
      pauseFor(state, {
        reason,
        since: now,
        ...(code !== undefined && { code }),
        ...(topUpUrl !== undefined && { topUpUrl }),
      }),
    );
    const cause = `${reason}/${after.pause?.since ?? now}`;
    await notify(operatorNotice(pausedText(reason, { code, topUpUrl }), cause, now));
  }

  /** Many failures in a row open the breaker; the operator is told once. */
  async function countMarketFault({ now }: FailureMet): Promise<void> {
    const { after } = await marketState.change((state) => countFault(state, now));
    if (isOpen(after)) {
      await notify(operatorNotice(marketplaceDownText, String(after.openedAt), now));
    }
  }

  /** Once per day and field, because one broken field shows in every answer. */
  async function tellBadData(
    { feed, now }: FailureMet,
    { path, shape }: Extract<Failure, { kind: 'bad_data' }>,
  ): Promise<void> {
    const place = path.replace(/\d+/g, 'n');
    const text = badDataText(feed.kind, path, shape);
    await notify(operatorNotice(text, `${ledgerDay(now)}/${feed.kind}/${place}`, now));
  }
}

function isOpen({ openUntil }: MarketState): boolean {
  return openUntil !== undefined;
}
