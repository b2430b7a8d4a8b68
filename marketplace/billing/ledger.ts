/**
 * The ledger: every charge is a row with its reason; the balance is the sum of the rows. Decides
 * whether an account can pay a pull; each endpoint decides what costs a pull.
 */
import { PaymentError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import { type BillingAccount, readAccount } from './accounts.ts';
import { billingPeriodAt } from './period.ts';

export type PullKind = 'salesdata' | 'listings' | 'stats';

/** What one pull takes from a balance: 1 pull (tiered), 15 thousandths of a currency unit (flat). */
const unitsPerPull = { tiered: 1, flat: 15 } as const;

export interface LedgerPull {
  accountId: number;
  kind: PullKind;
  eventId: number;
  /** The reason of the charge, for readers of the ledger. */
  reason: string;
  /** Epoch milliseconds. */
  at: number;
}

/**
 * Charges one pull, first to the cycle's quota and then to the balance. Call it inside the
 * transaction that reads the sold data: charge and answer then commit together, and two requests
 * can't spend the same pull.
 * @throws PaymentError when the account is frozen or can't pay; writes nothing then.
 */
export function chargePull(store: Store, pull: LedgerPull): void {
  store.transaction(() => {
    const account = readAccount(store, pull.accountId);
    const quotaLeft = remainingQuota(store, account, pull.at);
    const unit = unitsPerPull[account.plan];
    refuseUncovered(account, quotaLeft);
    const fromQuota = quotaLeft > 0 ? 1 : 0;
    store.run(
      `INSERT INTO ledger (account_id, at, reason, kind, event_id, pulls, quota_pulls, amount)
       VALUES (?, ?, ?, ?, ?, 1, ?, ?)`,
      pull.accountId,
      pull.at,
      pull.reason,
      pull.kind,
      pull.eventId,
      fromQuota,
      fromQuota === 1 ? 0 : -unit,
    );
  });
}

function refuseUncovered(account: BillingAccount, quotaLeft: number): void {
  const balance = Math.floor(account.balance / unitsPerPull[account.plan]);
  if (account.frozen === 1) throw new PaymentError({ code: 'frozen', balance, required: 1 });
  if (quotaLeft > 0 || balance >= 1) return;
  const code = account.quotaPulls > 0 ? 'quota_and_balance_exhausted' : 'insufficient_balance';
  throw new PaymentError({ code, balance, required: 1 });
}

function remainingQuota(store: Store, account: BillingAccount, now: number): number {
  if (account.quotaPulls === 0) return 0;
  const { start } = billingPeriodAt(account.periodAnchor, now);
  const used = store.get<{ pulls: number }>(
    'SELECT coalesce(sum(quota_pulls), 0) AS pulls FROM ledger WHERE account_id = ? AND at >= ?',
    account.id,
    start,
  );
  return account.quotaPulls - (used?.pulls ?? 0);
}

/** Adds `pulls` to the balance of an account. */
export function topUp(
  store: Store,
  o: { account: BillingAccount; pulls: number; at: number },
): void {
  store.run(
    `INSERT INTO ledger (account_id, at, reason, pulls, quota_pulls, amount)
     VALUES (?, ?, 'top-up', 0, 0, ?)`,
    o.account.id,
    o.at,
    o.pulls * unitsPerPull[o.account.plan],
  );
}

/**
 * The latest refresh or snapshot (epoch ms) that the account has paid for, of this kind and event.
 */
export function paidThrough(store: Store, o: Omit<LedgerPull, 'reason' | 'at'>): number {
  const paid = store.get<{ through: number }>(
    'SELECT through FROM paid WHERE account_id = ? AND event_id = ? AND kind = ?',
    o.accountId,
    o.eventId,
    o.kind,
  );
  return paid?.through ?? Number.NEGATIVE_INFINITY;
}

/** Charges one pull and records the paid refresh or snapshot, in one transaction. */
export function chargeThrough(store: Store, pull: LedgerPull, through: number): void {
  store.transaction(() => {
    chargePull(store, pull);
    store.run(
      `INSERT INTO paid VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET through = excluded.through`,
      pull.accountId,
      pull.eventId,
      pull.kind,
      through,
    );
  });
}
