// Addresses that no mail goes to, whoever asks: they bounced, or their reader complained. Decides who may
// lift that, and when. Times are epoch milliseconds.

export const suppressionReasons = ['bounce', 'complaint', 'soft_bounces'] as const;
export type SuppressionReason = (typeof suppressionReasons)[number];

/** What is known of an address that bounced or complained. */
export interface Suppression {
  /** In lower case. */
  address: string;
  /** Whether mail to it is withheld. */
  isSuppressed: boolean;
  reason?: string | undefined;
  /** The ids of the bounces that may have been for a passing reason. */
  softBounces?: Set<string> | undefined;
  /** Since when it is suppressed. */
  suppressedAt?: number | undefined;
  /** When the suppression was last lifted. */
  liftedAt?: number | undefined;
  /** How often it was lifted. */
  lifts?: number | undefined;
  updatedAt: number;
}

/** Full mailboxes empty again; one that refused this many mails does not. */
export const softBouncesToSuppress = 5;

/** How an address is compared: whole, in lower case. */
export function sameAddress(address: string): string {
  return address.trim().toLowerCase();
}

interface ReasonRow {
  /** Why, as the end of a sentence. */
  words: string;
  /** How it ends. */
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

/** A stored reason that this release does not know counts as the strictest one. */
export function suppressionReason({ reason }: Pick<Suppression, 'reason'>): SuppressionReason {
  return suppressionReasons.find((known) => known === reason) ?? 'complaint';
}

const failurePrefix = 'address_';

/** What a delivery to a suppressed address fails with, and a channel is switched off for. */
export function suppressedFailure(suppression: Pick<Suppression, 'reason'>): string {
  return `${failurePrefix}${suppressionReason(suppression)}`;
}

/** The suppression behind a failure; undefined where it failed for another reason. */
export function suppressionBehind(failure: string): SuppressionReason | undefined {
  return suppressionReasons.find((reason) => failure === failurePrefix + reason);
}

/** Why no mail goes there, as the end of a sentence. */
export function suppressionWords(suppression: Pick<Suppression, 'reason'>): string {
  return rows[suppressionReason(suppression)].words;
}

/** How it ends, in sentences that name routes of the API. */
export function suppressionEnds(suppression: Pick<Suppression, 'reason'>): string {
  return rows[suppressionReason(suppression)].ends;
}

/** Since when no mail goes there; items of an earlier release have the time of their last change. */
export function suppressedSince({ suppressedAt, updatedAt }: Suppression): number {
  return suppressedAt ?? updatedAt;
}

/** Who asks: the channel's owner by API, the reader by a signed link, the operator by a command. */
export type Lifter = 'owner' | 'reader' | 'operator';

export type LiftDecision =
  | { kind: 'lift' }
  | { kind: 'refused'; reason: 'complaint' }
  | { kind: 'too_early'; until: number };

const dayMs = 86_400_000;
const longestWaitMs = 30 * dayMs;

/**
 * Whether a person may lift a suppression now. A complaint is the reader's word, so the owner cannot
 * take it back. After a lift that bounced again an owner waits a day, then two, up to 30 days: mail to
 * a dead mailbox costs the whole account its reputation.
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
