// Takes what mailboxes say back: addresses that bounce for good, or whose reader complained, get no more
// mail. Feedback that comes twice counts once.
import { judgeMailEvent, readMailEvent, type Verdict } from '#shared/alerts/mail-event.ts';
import type { SuppressionStore } from '#shared/store/suppressions.ts';

interface MailFeedbackDeps {
  suppressions: Pick<SuppressionStore, 'suppress' | 'countSoftBounce'>;
  /** Told of each verdict; never of an address. */
  onVerdict: (verdict: { kind: Verdict['kind']; reason: string }) => void;
}

/**
 * The use case of one queue message; `now` is epoch milliseconds.
 * @throws NoMailEventError for a message that is no SES event.
 */
export function createMailFeedback({ suppressions, onVerdict }: MailFeedbackDeps) {
  return async function mailFeedback(message: unknown, now: number): Promise<void> {
    for (const verdict of judgeMailEvent(readMailEvent(message))) {
      onVerdict({ kind: verdict.kind, reason: await carryOut(verdict, now) });
    }
  };

  async function carryOut(verdict: Verdict, now: number): Promise<string> {
    if (verdict.kind === 'none') return verdict.reason;
    if (verdict.kind === 'suppress') {
      await suppressions.suppress(verdict.address, verdict.reason, now);
      return verdict.reason;
    }
    const { address, feedbackId } = verdict;
    const isTooMany = await suppressions.countSoftBounce(address, feedbackId, now);
    return isTooMany ? 'soft_bounces' : 'soft_bounce';
  }
}
