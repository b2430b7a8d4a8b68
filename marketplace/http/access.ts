/**
 * Authenticates a request and checks its access (api.md, Authentication). Reads the two headers;
 * charges and limits nothing.
 */
import { API_KEY_LENGTH } from '#shared/marketplace/contract.ts';
import { type BillingAccount, findAccount } from '../billing/accounts.ts';
import { MissingKeyError, NotSubscribedError, UnknownKeyError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import type { RouteOperation } from './operation.ts';

const keyForm = new RegExp(`^[\\x21-\\x7e]{${API_KEY_LENGTH}}$`);

/**
 * The account behind `Authorization: Bearer <key>` (preferred) or `api-key: <key>`.
 * @throws MissingKeyError when there is no key or it doesn't have 64 characters; UnknownKeyError.
 */
export function authenticate(
  store: Store,
  headers: { authorization: string | undefined; apiKey: string | undefined },
): BillingAccount {
  const key = readKey(headers.authorization, headers.apiKey);
  if (key === undefined || !keyForm.test(key)) {
    throw new MissingKeyError(
      `send a key of ${API_KEY_LENGTH} characters as "Authorization: Bearer <key>" or "api-key: <key>"`,
    );
  }
  const account = findAccount(store, key);
  if (!account) throw new UnknownKeyError('no account has this API key');
  return account;
}

function readKey(authorization: string | undefined, apiKey: string | undefined) {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? apiKey?.trim();
}

/** @throws NotSubscribedError when the account lacks the subscription that the operation needs. */
export function refuseUnsubscribed(
  account: BillingAccount,
  access: RouteOperation['access'],
): void {
  if (account.apiAccess === 0) throw new NotSubscribedError('API subscription required');
  if (access === 'csv' && account.csvAccess === 0) {
    throw new NotSubscribedError('Daily Event CSV subscription required');
  }
  if (access === 'operator' && account.operator === 0) {
    throw new NotSubscribedError("this route takes the operator's key");
  }
}
