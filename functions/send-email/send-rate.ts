// The account's sending rate (mails per second), read from SES.
import { GetSendQuotaCommand, type SESClient } from '@aws-sdk/client-ses';

/** Quotas change rarely, and manually. */
const keptForMs = 10 * 60_000;
/** SES allows one such call a second for the account, so a failed one is not repeated with each mail. */
const retryAfterMs = 30_000;
/** Until SES has answered once: the rate of SES's sandbox, which every account has at least. */
const leastRate = 1;

/**
 * @returns a function that resolves to mails per second. It asks SES at most every 10 minutes; while SES doesn't
 *   answer, the last rate that it gave holds.
 */
export function createSendRateReader(
  client: Pick<SESClient, 'send'>,
  now: () => number,
): () => Promise<number> {
  let rate = leastRate;
  let askedAgainAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;

  async function ask(): Promise<void> {
    try {
      const { MaxSendRate = leastRate } = await client.send(new GetSendQuotaCommand({}));
      rate = Math.max(MaxSendRate, leastRate);
      askedAgainAt = now() + keptForMs;
    } catch {
      askedAgainAt = now() + retryAfterMs;
    } finally {
      asking = undefined;
    }
  }

  return async () => {
    if (now() >= askedAgainAt) {
      asking ??= ask();
      await asking;
    }
    return rate;
  };
}
