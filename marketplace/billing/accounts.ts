/**
 * The service's accounts and their API keys: one account for each situation that a caller may want
 * to test. Kept in the store, so a restart on the same file keeps every key.
 */
import { randomBytes } from 'node:crypto';
import type { Store } from '../store/store.ts';

export interface BillingAccount {
  id: number;
  email: string;
  company: string;
  plan: 'tiered' | 'flat';
  planStatus: 'active' | 'past_due' | 'canceled';
  apiAccess: 0 | 1;
  csvAccess: 0 | 1;
  operator: 0 | 1;
  frozen: 0 | 1;
  /** Pulls included in each billing cycle of a tiered plan. */
  quotaPulls: number;
  /**
   * Start of the first billing cycle, epoch ms; null for accounts from before cycles were tracked.
   */
  periodAnchor: number | null;
  /** Sum of the ledger in the plan's own unit. */
  balance: number;
}

/** API keys by the situation that a caller can test. */
export interface MarketplaceKeys {
  /** Tiered plan, a large balance, every subscription. */
  main: string;
  /** A balance of 5 pulls. */
  lowBalance: string;
  /** 3 pulls of quota a cycle and a balance of 2. */
  quota: string;
  /** Flat-rate plan. */
  flat: string;
  frozen: string;
  unsubscribed: string;
  noCsv: string;
  operator: string;
}

/** The account names that an operator's request accepts. */
export const accountNames = [
  ...(['main', 'lowBalance', 'quota', 'flat', 'frozen'] as const),
  ...(['unsubscribed', 'noCsv', 'operator'] as const),
] as const satisfies readonly (keyof MarketplaceKeys)[];

type Opening = Partial<BillingAccount> & { balance: number };

const accounts: Record<keyof MarketplaceKeys, Opening> = {
  main: { balance: 1_000_000 },
  lowBalance: { balance: 5 },
  quota: { balance: 2, quotaPulls: 3 },
  flat: { balance: 15_000_000, plan: 'flat' },
  frozen: { balance: 1_000, frozen: 1 },
  unsubscribed: { balance: 1_000, apiAccess: 0, csvAccess: 0, planStatus: 'canceled' },
  noCsv: { balance: 1_000, csvAccess: 0 },
  operator: { balance: 1_000_000, operator: 1 },
};

const accountColumns = `id, email, company, plan, plan_status AS planStatus, api_access AS apiAccess,
  csv_access AS csvAccess, operator, frozen, quota_pulls AS quotaPulls,
  period_anchor AS periodAnchor, balance`;

/** Creates the accounts that the file lacks and returns all keys. */
export function openAccounts(store: Store, now: number): MarketplaceKeys {
  return store.transaction(() => {
    const keyOf = (name: keyof MarketplaceKeys): string =>
      store.get<{ key: string }>('SELECT api_key AS key FROM accounts WHERE key_name = ?', name)
        ?.key ?? openAccount(store, name, now);
    return {
      main: keyOf('main'),
      lowBalance: keyOf('lowBalance'),
      quota: keyOf('quota'),
      flat: keyOf('flat'),
      frozen: keyOf('frozen'),
      unsubscribed: keyOf('unsubscribed'),
      noCsv: keyOf('noCsv'),
      operator: keyOf('operator'),
    };
  });
}

function openAccount(store: Store, name: keyof MarketplaceKeys, now: number): string {
  const opening = accounts[name];
  const key = randomBytes(32).toString('hex');
  const { id } = store.run(
    `INSERT INTO accounts (key_name, api_key, email, company, plan, plan_status, api_access,
       csv_access, operator, frozen, quota_pulls, period_anchor)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    name,
    key,
    `${name.toLowerCase()}@sandbox.example`,
    'Sandbox',
    opening.plan ?? 'tiered',
    opening.planStatus ?? 'active',
    opening.apiAccess ?? 1,
    opening.csvAccess ?? 1,
    opening.operator ?? 0,
    opening.frozen ?? 0,
    opening.quotaPulls ?? 0,
    now - (now % 60_000),
  );
  store.run(
    `INSERT INTO ledger (account_id, at, reason, pulls, quota_pulls, amount)
     VALUES (?, ?, 'opening balance', 0, 0, ?)`,
    id,
    now,
    opening.balance,
  );
  return key;
}

/** The current account of a key. */
export function findAccount(store: Store, key: string): BillingAccount | undefined {
  return store.get<BillingAccount>(`SELECT ${accountColumns} FROM accounts WHERE api_key = ?`, key);
}

/** The account of an id that the pipeline has already authenticated. */
export function readAccount(store: Store, id: number): BillingAccount {
  const account = store.get<BillingAccount>(
    `SELECT ${accountColumns} FROM accounts WHERE id = ?`,
    id,
  );
  if (!account) throw new Error(`account ${id} is gone`);
  return account;
}

/** The account whose key has this name, for the operator. */
export function findNamedAccount(store: Store, name: string): BillingAccount | undefined {
  return store.get<BillingAccount>(
    `SELECT ${accountColumns} FROM accounts WHERE key_name = ?`,
    name,
  );
}
