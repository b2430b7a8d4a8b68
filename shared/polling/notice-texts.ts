// The texts of polling's notices. Plain sentences: what happened, what it means, what to do.
import type { NoticedShare } from './budget.ts';
import { type FeedKind, feedKindRows } from './feed-kinds.ts';
import type { FeedHealth } from './health.ts';
import type { PauseReason } from './market-state.ts';
import type { Notice } from './notice.ts';

type NoticeText = Pick<Notice, 'kind' | 'title' | 'text'> & Partial<Pick<Notice, 'link'>>;

const pauseTexts: Record<PauseReason, { title: string; text: string }> = {
  payment: {
    title: 'Polling is paused: the marketplace account is out of funds',
    text: 'The marketplace refused a charged call. No data is lost: the next paid call returns every snapshot since the last one. Top up the account; polling resumes by itself within five minutes.',
  },
  authentication: {
    title: 'Polling is paused: the marketplace does not accept the API key',
    text: 'The marketplace refused the key. Put a valid key into the MarketplaceKey secret; polling resumes by itself within ten minutes.',
  },
  subscription: {
    title: 'Polling is paused: the marketplace account has no API access',
    text: 'The key is valid, but its subscription does not include API access. Renew it; polling resumes by itself within five minutes.',
  },
};

/** The notice of a pause. `code` is the marketplace's own. */
export function pausedText(
  reason: PauseReason,
  { code, topUpUrl }: { code?: string | undefined; topUpUrl?: string | undefined },
): NoticeText {
  const { title, text } = pauseTexts[reason];
  return {
    kind: 'account_paused',
    title,
    text: code === undefined ? text : `${text} The marketplace's code: ${code}.`,
    ...(topUpUrl !== undefined && { link: topUpUrl }),
  };
}

export function resumedText(reason: PauseReason): NoticeText {
  return {
    kind: 'account_resumed',
    title: 'Polling has resumed',
    text: `The marketplace accepts calls again (the cause was: ${reason}).`,
  };
}

export const marketplaceDownText: NoticeText = {
  kind: 'marketplace_down',
  title: 'The marketplace does not answer',
  text: 'Several calls in a row failed, so polling is paused and a trial call is made from time to time. No data is lost during the outage, but alerts come late. You don’t need to do anything.',
};

export const marketplaceBackText: NoticeText = {
  kind: 'marketplace_back',
  title: 'The marketplace answers again',
  text: 'Polling continues. The stats of the outage are read and evaluated in order.',
};

/** The notice of an answer that violates the contract; `shape` has types instead of values. */
export function badDataText(endpoint: string, path: string, shape: string): NoticeText {
  return {
    kind: 'bad_data',
    title: 'The marketplace sent data that does not match its contract',
    text: `${endpoint}, at ${path || 'the body as a whole'}. Nothing of the answer was stored; the feed is retried at growing intervals. The answer began: ${shape}`,
  };
}

/** The notice that 50, 80 or 100 % of a cap is spent. */
export function shareReachedText(share: {
  percent: NoticedShare;
  span: 'day' | 'billing period';
  spent: number;
  cap: number;
  turnsAt: number;
}): NoticeText {
  const turns = new Date(share.turnsAt).toISOString().slice(0, 16).replace('T', ' ');
  const isOver = share.percent === 100;
  return {
    kind: 'budget_share_reached',
    title: `${share.percent}% of the ${share.span}'s pulls are spent`,
    text: `${share.spent} of ${share.cap} pulls. ${
      isOver
        ? 'Charged polls stop until'
        : 'Polls are spaced wider, by priority, so that the cap lasts; the count starts again at'
    } ${turns} UTC. No stats are lost by waiting: the next pull brings all of them.`,
  };
}

/** The notice that our ledger and the marketplace's usage differ. */
export function driftText(counts: { ledger: number; usage: number }): NoticeText {
  return {
    kind: 'usage_drift',
    title: 'The pull ledger and the marketplace’s usage differ',
    text: `Our ledger has ${counts.ledger} pulls in this billing period, GET /v1/usage says ${counts.usage}. Another client may be using the key, or a charge was counted wrongly.`,
  };
}

/** The notice that a watch gets no fresh data. */
export function unwellText(
  kind: FeedKind,
  eventName: string,
  health: Exclude<FeedHealth, { kind: 'well' }>,
): NoticeText {
  const { noun, isPlural } = feedKindRows[kind];
  const why =
    health.kind === 'failing'
      ? `could not be read ${health.failures} times in a row`
      : `${isPlural ? 'have' : 'has'} not changed for ${Math.round(health.quietMs / 3_600_000)} hours, far longer than usual`;
  return {
    kind: 'feed_unwell',
    title: `No fresh ${noun} for ${eventName}`,
    text: `The marketplace's ${noun} for this event ${why}. Your watch stays active, and you get a message when the data is back. This is not a price alert.`,
  };
}

export function wellAgainText(kind: FeedKind, eventName: string): NoticeText {
  return {
    kind: 'feed_well_again',
    title: `Fresh ${feedKindRows[kind].noun} again for ${eventName}`,
    text: 'Your watch continues. This is not a price alert.',
  };
}

export function eventNotFoundText(eventName: string): NoticeText {
  return {
    kind: 'event_not_found',
    title: `The marketplace no longer knows ${eventName}`,
    text: 'The event may have been cancelled, moved or merged. Your watch gets no more data and costs nothing more; search for the event again to make a new watch.',
  };
}
