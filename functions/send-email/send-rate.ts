// The account's sending rate (mails per second), read from SES.
import { GetSendQuotaCommand, type SESClient } from '@aws-sdk/client-ses';
import { cached } from '#shared/lambda/cache.ts';

/** Quotas change rarely, and manually. */
const keptForMs = 10 * 60_000;
/** Used when SES doesn't answer: the rate of SES's sandbox, which every account has at least. */
const leastRate = 1;

/** @returns a function that resolves to mails per second, read at most every 10 minutes. */
export function createSendRateReader(
  client: Pick<SESClient, 'send'>,
  now: () => number,
): () => Promise<number> {
  const readRate = cached((_key: 'rate') => askRate(client), { forMs: keptForMs, now });
  return () => readRate('rate');
}

async function askRate(client: Pick<SESClient, 'send'>): Promise<number> {
  try {
    const { MaxSendRate = leastRate } = await client.send(new GetSendQuotaCommand({}));
    return Math.max(MaxSendRate, leastRate);
  } catch {
    return leastRate;
  }
}
