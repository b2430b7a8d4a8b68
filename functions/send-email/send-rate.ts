// The account's sending rate (mails per second). One sender asks SES, and all share its answer through the table.
import { GetSendQuotaCommand, type SESClient } from '@aws-sdk/client-ses';
import type { MailRate, MailRateStore } from '#shared/dynamo/mail-rate.ts';

/** Quotas change rarely, and manually. */
const keptForMs = 10 * 60_000;
/** SES allows one such call a second for the account, so a failed one is not repeated with each mail. */
const retryAfterMs = 30_000;
/** A sender looks into the table this often for the answer of another. */
const lookEveryMs = 5_000;
/** Until SES has answered once: the rate of SES's sandbox, which every account has at least. */
const leastRate = 1;

interface SendRateDeps {
  client: Pick<SESClient, 'send'>;
  mailRate: MailRateStore;
  now: () => number;
}

/**
 * @returns a function that resolves to mails per second. All senders together ask SES every 10 minutes; while SES
 *   doesn't answer, the last rate that it gave to any of them holds.
 */
export function createSendRateReader({ client, mailRate, now }: SendRateDeps) {
  let rate = leastRate;
  let looksAgainAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;

  async function look(): Promise<void> {
    try {
      const at = now();
      const known = await mailRate.read();
      rate = known.mailsPerSecond ?? rate;
      const isAsked = at < dueAt(known) || !(await mailRate.claimAsking(known, at));
      if (!isAsked) rate = await ask(at);
      looksAgainAt = isAsked && at < dueAt(known) ? dueAt(known) : at + lookEveryMs;
    } catch {
      looksAgainAt = now() + retryAfterMs;
    } finally {
      looking = undefined;
    }
  }

  async function ask(at: number): Promise<number> {
    const { MaxSendRate = leastRate } = await client.send(new GetSendQuotaCommand({}));
    const answered = Math.max(MaxSendRate, leastRate);
    await mailRate.keep(answered, at);
    return answered;
  }

  return async (): Promise<number> => {
    if (now() >= looksAgainAt) {
      looking ??= look();
      await looking;
    }
    return rate;
  };
}

/** When SES is asked again: soon where it did not answer the last time. */
function dueAt({ askedAt, answeredAt = Number.NEGATIVE_INFINITY }: MailRate): number {
  return askedAt + (answeredAt >= askedAt ? keptForMs : retryAfterMs);
}
