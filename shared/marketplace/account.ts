/**
 * GET /v1/account and GET /v1/usage. Both are free.
 */
import type { CallOptions } from './attempt-guard.ts';
import { FREE } from './charge.ts';
import { ENDPOINTS } from './endpoints.ts';
import { type Account, readAccount, readUsage, type Usage } from './reading/account.ts';
import type { Result } from './result.ts';
import type { Transport } from './transport.ts';

/** Reads the key's account and applies its rate limits to the client's calls. */
export async function fetchAccount(
  transport: Transport,
  options: CallOptions = {},
): Promise<Result<Account>> {
  const endpoint = ENDPOINTS.account;
  const request = { endpoint, path: endpoint.path, maxPulls: 0, options };
  const { value, rateLimit, serviceClock } = await transport.json(request, readAccount);
  transport.learnRateLimits(value.rate_limits);
  return { data: value, cost: FREE, rateLimit, serviceClock };
}

/** Counts of the current billing cycle. */
export async function fetchUsage(
  transport: Transport,
  options: CallOptions = {},
): Promise<Result<Usage>> {
  const endpoint = ENDPOINTS.usage;
  const request = { endpoint, path: endpoint.path, maxPulls: 0, options };
  const { value, rateLimit, serviceClock } = await transport.json(request, readUsage);
  return { data: value, cost: FREE, rateLimit, serviceClock };
}
