// Mail addresses that are blocked because mail bounced or the reader complained. Decides who may lift a
// block, and when. Times are epoch milliseconds.
import { createHash } from 'node:crypto';
import { parseMailAddress } from './channels/mail-address.ts';

export const suppressionReasons = ['bounce', 'complaint', 'soft_bounces'] as const;
export type SuppressionReason = (typeof suppressionReasons)[number];

/** The stored state of an address that bounced or complained. */
export interface Suppression {
  /** The hash of the address (`addressHash`): the list contains no address. */
  addressHash: string;
  /** Whether mail to it is blocked. */
  isSuppressed: boolean;
  reason?: string | undefined;
  /** The ids of the bounces that may have been temporary. */
  softBounces?: Set<string> | undefined;
  /** Since when it is suppressed. */
  suppressedAt?: number | undefined;
  /** When the suppression was last lifted. */
  liftedAt?: number | undefined;
  /** How often it was lifted. */
  lifts?: number | undefined;
  updatedAt: number;
}

/** A mailbox that refused this many mails probably stays full. */
export const softBouncesToSuppress = 5;

/** The form in which addresses are compared: as stored, in lower case. */
export function sameAddress(address: string): string {
  return (parseMailAddress(address) ?? address.trim()).toLowerCase();
}

/** The SHA-256 of an address as addresses are compared, in hex. */
export function addressHash(address: string): string {
  return createHash('sha256').update(sameAddress(address)).digest('hex');
}

interface ReasonRow {
  /** The reason, as the end of a sentence. */
  words: string;
  /** How the block can be lifted. */
  ends: string;
}

const rows: Record<SuppressionReason, ReasonRow> = {
  bounce: {
    words: 'a mail to it was returned as permanently undeliverable',
    ends: 'When the mailbox works again, POST /v1/channels/{id}/unblock sends a new confirmation mail; no other mail is sent before its reader confirms. The operator can lift the block too.',
  },
  soft_bounces: {
    words: 'its mailbox refused several mails',
    ends: 'When the mailbox works again, POST /v1/channels/{id}/unblock sends a new confirmation mail; no other mail is sent before its reader confirms. The operator can lift the block too.',
  },
  complaint: {
    words: 'its reader reported a mail as spam',
    ends: 'Only the reader can lift the block, by the link in any earlier mail, or the operator if the reader asks.',
  },
};

/** A stored reason that this release does not know counts as a complaint, the strictest reason. */
export function suppressionReason({ reason }: Pick<Suppression, 'reason'>): SuppressionReason {
  return suppressionReasons.find((known) => known === reason) ?? 'complaint';
}

const failurePrefix = 'address_';

/**
 * The failure reason of a delivery to a suppressed address, also the reason why its channel is switched off.
 */
export function suppressedFailure(suppression: Pick<Suppression, 'reason'>): string {
  return `${failurePrefix}${suppressionReason(suppression)}`;
}

/** The suppression that caused a failure; undefined if the failure had another reason. */
export function suppressionBehind(failure: string): SuppressionReason | undefined {
  return suppressionReasons.find((reason) => failure === failurePrefix + reason);
}

/** Why the address is blocked, as the end of a sentence. */
export function suppressionWords(suppression: Pick<Suppression, 'reason'>): string {
  return rows[suppressionReason(suppression)].words;
}

/** How the block can be lifted, in sentences that name routes of the API. */
export function suppressionEnds(suppression: Pick<Suppression, 'reason'>): string {
  return rows[suppressionReason(suppression)].ends;
}

/** Since when the address is blocked; items of an earlier release have only the time of their last change. */
export function suppressedSince({ suppressedAt, updatedAt }: Suppression): number {
  return suppressedAt ?? updatedAt;
}

/**
 * The person who asks: the channel's owner by API, the reader by a signed link, the operator by a command.
 */
export type Lifter = 'owner' | 'reader' | 'operator';

export type LiftDecision =
  | { kind: 'lift' }
  | { kind: 'refused'; reason: 'complaint' }
  | { kind: 'too_early'; until: number };

const dayMs = 86_400_000;
const longestWaitMs = 30 * dayMs;

/**
 * Decides whether a person may lift a suppression now. Only the reader can withdraw a complaint, not the
 * owner. If mail bounces again after a lift, the owner must wait a day, then two, up to 30 days: mail to a
 * dead mailbox costs the whole account its reputation.
 */
export function decideLift(suppression: Suppression, by: Lifter, now: number): LiftDecision {
  if (by !== 'owner') return { kind: 'lift' };
  if (suppressionReason(suppression) === 'complaint')
    return { kind: 'refused', reason: 'complaint' };
  const lifts = suppression.lifts ?? 0;
  const waitMs = lifts === 0 ? 0 : Math.min(dayMs * 2 ** Math.min(lifts - 1, 10), longestWaitMs);
  const until = suppressedSince(suppression) + waitMs;
  return until > now ? { kind: 'too_early', until } : { kind: 'lift' };
}
