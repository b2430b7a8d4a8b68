// A pull: the cost of one call of the marketplace, as a row of our ledger.
import type { FeedKind } from './feed-kinds.ts';
import type { PullSharers } from './pull-sharers.ts';

/** One call that was charged, or may have been. */
export interface Pull {
  /** The UTC date, YYYY-MM-DD. */
  day: string;
  /** Contains the claim, so that a call stays one row however often it is recorded. */
  callId: string;
  eventId: number;
  kind: FeedKind;
  /**
   * The pulls that count against the budget. Of an `unsettled` call, until the marketplace's usage shows the cost:
   * the upper bound if its answer was lost, 0 if its answer calls it free and it brought a new refresh.
   */
  pulls: number;
  /** The upper bound of an `unsettled` call that may have cost more than one pull: it was sent more than once. */
  mostPulls?: number | undefined;
  reason: string;
  state: 'settled' | 'unsettled';
  /** When the call was sent, epoch milliseconds. */
  pulledAt: number;
  /** The newest snapshot that the call paid for, epoch milliseconds. */
  refreshAt?: number | undefined;
  /** How many watches were subscribed. */
  watches: number;
  /** Who needed the call; absent if they were too many, and on rows of earlier releases. */
  sharers?: PullSharers;
  expiresAtEpochSeconds: number;
}

/** Kept for more than a year, so that two Decembers can be compared. */
const keptSeconds = 400 * 86_400;

/** The UTC date of a time, the ledger's partition. */
export function ledgerDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** Every UTC date from one time through another. */
export function ledgerDays(from: number, through: number): string[] {
  const days: string[] = [];
  for (let at = Date.parse(ledgerDay(from)); at <= through; at += 86_400_000) {
    days.push(ledgerDay(at));
  }
  return days;
}

/** A row of the ledger; its day is the day of the call. */
export function pullOf(
  facts: Omit<Pull, 'day' | 'callId' | 'mostPulls' | 'expiresAtEpochSeconds'> & { claim: string },
): Pull {
  const { claim, ...rest } = facts;
  return {
    ...rest,
    ...(facts.state === 'unsettled' && facts.pulls > 1 && { mostPulls: facts.pulls }),
    day: ledgerDay(facts.pulledAt),
    callId: callIdOf({ ...facts, claim }),
    expiresAtEpochSeconds: Math.floor(facts.pulledAt / 1_000) + keptSeconds,
  };
}

export function callIdOf({ kind, eventId, claim }: CallName): string {
  return `${kind}#${eventId}#${claim}`;
}

/** The claim in a call's id. */
export function claimIn(callId: string): string {
  return callId.split('#').slice(2).join('#');
}

interface CallName {
  kind: FeedKind;
  eventId: number;
  claim: string;
}

/** The upper bound of the cost of a call whose answer was lost. */
export function mostPullsOf({ mostPulls = 1 }: Pick<Pull, 'mostPulls'>): number {
  return mostPulls;
}
