// Limits the confirmation mails to one mailbox over all owners and channels. Adding an address to many
// channels, or deleting and adding it again, must not flood a mailbox that has not agreed to mail.
import { domainToASCII } from 'node:url';

/** The recent confirmation mails to a mailbox. */
export interface ConfirmationMails {
  mailbox: string;
  /** The times of the last day's mails, epoch milliseconds, oldest first. */
  sentAt: number[];
  /** Grows with every write. */
  moves: number;
  expiresAtEpochSeconds: number;
}

/** A person needs one mail, or a second if the first was lost. */
export const confirmationEveryMs = 60_000;
export const confirmationsPerDay = 5;
const dayMs = 86_400_000;

export type ConfirmationDecision =
  | { kind: 'send'; after: ConfirmationMails }
  | { kind: 'wait'; until: number; reason: 'one_a_minute' | 'too_many_today' };

/** Decides whether a mailbox may get another confirmation mail now (epoch ms). */
export function decideConfirmation(before: ConfirmationMails, now: number): ConfirmationDecision {
  const recent = before.sentAt.filter((at) => at > now - dayMs);
  const freeAt = (recent.at(-1) ?? Number.NEGATIVE_INFINITY) + confirmationEveryMs;
  const [oldest = now] = recent.slice(-confirmationsPerDay);
  if (recent.length >= confirmationsPerDay) {
    return { kind: 'wait', until: oldest + dayMs, reason: 'too_many_today' };
  }
  if (freeAt > now) return { kind: 'wait', until: freeAt, reason: 'one_a_minute' };
  const expiresAtEpochSeconds = Math.ceil((now + dayMs) / 1_000);
  const { mailbox, moves } = before;
  const after = { mailbox, sentAt: [...recent, now], moves: moves + 1, expiresAtEpochSeconds };
  return { kind: 'send', after };
}

const dotless = new Set(['gmail.com', 'googlemail.com']);

/**
 * The mailbox that an address most likely leads to. Ignores case, Unicode form, quotes, a `+tag` and, at
 * Gmail, dots. Only for counting; mail always goes to the address as given.
 */
export function mailboxOf(address: string): string {
  const folded = address.normalize('NFKC').trim().toLowerCase();
  const at = folded.lastIndexOf('@');
  const host = folded.slice(at + 1).replace(/\.$/, '');
  const domain = domainToASCII(host) || host;
  const unquoted = folded.slice(0, Math.max(0, at)).replace(/^"(.*)"$/, '$1');
  const local = unquoted.replace(/(?<=.)\+.*$/, '');
  const isDotless = dotless.has(domain);
  const known = isDotless ? local.replaceAll('.', '') : local;
  return `${known}@${isDotless ? 'gmail.com' : domain}`;
}
