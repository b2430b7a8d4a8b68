// Rebuilds a damaged budget: the spent sums come from the ledger, and unknown amounts count as
// spent or reserved, so that no cap is exceeded.

import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { dayStartOf } from '#shared/moment.ts';
import { type Budget, calendarMonth, reservationKey } from '#shared/polling/budget.ts';
import { pullsOfDay } from '#shared/polling/ledger-day.ts';
import { ledgerDay } from '#shared/polling/pull.ts';
import { timing } from '#shared/timing.ts';
import type { RawItem } from './attribute-readings.ts';
import { isStillOrNoNumber, writeIf } from './conditional-write.ts';
import type { PullStore } from './pulls.ts';
import type { WatchlistTable } from './tables.ts';

const id = 'pulls';
/** More than a billing period. */
const longestPeriodMs = 32 * 86_400_000;
/** Reserved when the running calls are unknown, so that no call starts until all of them have ended. */
const everything = 1_000_000_000;

/** @returns a function that replaces the damaged budget, unless another process has done so. */
export function createHealBudget(
  table: WatchlistTable,
  budgets: Entity,
  pulls: Pick<PullStore, 'days'>,
) {
  return async function heal(now: number): Promise<void> {
    const action = budgets.build(GetItemCommand).key({ id }).options({ consistent: true });
    const { Item: raw } = await table.getDocumentClient().send(new GetCommand(action.params()));
    if (!raw) return;
    const period = periodOf(raw, now);
    const days = (await pulls.days(period.countedFrom, now)) ?? [];
    const since = (from: number) =>
      days.reduce((sum, day) => sum + (day.day >= ledgerDay(from) ? pullsOfDay(day) : 0), 0);
    const dayStart = dayStartOf(now);
    const isToday = raw.dayStart === dayStart;
    // A call is counted in the budget before it is in the ledger, so the budget's sum may be the higher one.
    const daySpent = Math.max(since(dayStart), (isToday && numberOf(raw.daySpent)) || 0);
    const periodSpent = Math.max(since(period.countedFrom), numberOf(raw.periodSpent) ?? 0);
    const reservations = reservationsOf(raw, now);
    const reserved = Object.values(reservations).reduce((sum, each) => sum + each, 0);
    const moves = numberOf(raw.moves) ?? 0;
    const healed = {
      ...{ id, dayStart, daySpent, dayCommitted: daySpent + reserved },
      ...{ periodStart: period.start, periodEnd: period.end },
      ...{ periodSpent, periodCommitted: periodSpent + reserved, reservations },
      ...{ pullPrice: numberOf(raw.pullPrice) ?? 0, moves: moves + 1 },
    } satisfies Budget;
    const condition = isStillOrNoNumber('moves', moves) as never;
    await writeIf(() => budgets.build(PutItemCommand).item(healed).options({ condition }).send());
  };
}

/** If the period is unknown, count the longest possible one; reconcile learns the true one within the hour. */
function periodOf(raw: RawItem, now: number) {
  const [start, end] = [numberOf(raw.periodStart), numberOf(raw.periodEnd)];
  const isKnown = start !== undefined && end !== undefined && start <= now && now < end;
  if (isKnown && end - start <= longestPeriodMs) return { start, end, countedFrom: start };
  return { ...calendarMonth(now), countedFrom: now - longestPeriodMs };
}

/** The readable reservations, and one for the unreadable ones, which expires with the last of them. */
function reservationsOf(raw: RawItem, now: number): Record<string, number> {
  const { reservations } = raw;
  const isMap = typeof reservations === 'object' && reservations !== null;
  const entries = Object.entries(isMap ? (reservations as RawItem) : {});
  const known = Object.fromEntries(
    entries.flatMap(([key, pulls]) => (typeof pulls === 'number' ? [[key, pulls] as const] : [])),
  );
  if (isMap && Object.keys(known).length === entries.length) return known;
  const sum = Object.values(known).reduce((all, each) => all + each, 0);
  const [committed, spent] = [numberOf(raw.dayCommitted), numberOf(raw.daySpent)];
  const unknown =
    committed !== undefined && spent !== undefined ? committed - spent - sum : everything;
  return { ...known, [reservationKey(now + timing.claimLeaseMs, 'unknown')]: Math.max(0, unknown) };
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
