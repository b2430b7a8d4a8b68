// The pull budget's one item in the Watchlist table, and what each owner has spent of a day.
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { $add, $get, $sum, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { item, number, record, string } from 'dynamodb-toolbox/schema';
import {
  type Budget,
  budgetSchema,
  type Caps,
  needsTurning,
  newBudget,
  type Period,
  pullsLeft,
  turnBudget,
} from '#shared/polling/budget.ts';
import { writeIf } from './conditional-write.ts';
import type { WatchlistTable } from './tables.ts';

const id = 'pulls';
/** Reserving competes with a handful of others; each loser has seen somebody win. */
const mostTries = 20;

/** Reads and moves of the budget: every move is one conditional write of its one item. */
export function createBudgetStore(table: WatchlistTable) {
  const budgets = new Entity({
    name: 'budget',
    table,
    timestamps: false,
    schema: budgetSchema,
    computeKey: () => ({ pk: 'BUDGET', sk: 'BUDGET' }),
  });
  const settings = new Entity({
    name: 'budgetSettings',
    table,
    timestamps: false,
    schema: item({
      id: string().key(),
      daily: number().optional(),
      monthly: number().optional(),
      ownerShares: record(string(), number()),
    }),
    computeKey: () => ({ pk: 'BUDGET', sk: 'SETTINGS' }),
  });
  const ownerDays = new Entity({
    name: 'ownerDay',
    table,
    timestamps: false,
    schema: item({
      day: string().key(),
      ownerId: string().key(),
      micropulls: number(),
      expiresAtEpochSeconds: number(),
    }),
    computeKey: ({ day, ownerId }) => ({ pk: `BUDGET#${day}`, sk: `OWNER#${ownerId}` }),
  });

  async function read(): Promise<Budget | undefined> {
    return (await budgets.build(GetItemCommand).key({ id }).options({ consistent: true }).send())
      .Item;
  }

  function create(budget: Budget): Promise<boolean> {
    return writeIf(() =>
      budgets
        .build(PutItemCommand)
        .item(budget)
        .options({ condition: { attr: 'id', exists: false } })
        .send(),
    );
  }

  /** Writes a whole budget in place of the one that it was made from. */
  function replace(before: Budget, after: Budget): Promise<boolean> {
    return writeIf(() =>
      budgets
        .build(PutItemCommand)
        .item({ ...after, moves: before.moves + 1 })
        .options({ condition: { attr: 'moves', eq: before.moves } })
        .send(),
    );
  }

  /** The budget as it is at a time: made when there is none, turned when its day is over. */
  async function current(now: number): Promise<Budget> {
    for (let attempt = 0; attempt < mostTries; attempt += 1) {
      const budget = await read();
      if (!budget) {
        await create(newBudget(now));
        continue;
      }
      if (!needsTurning(budget, now)) return budget;
      await replace(budget, turnBudget(budget, now));
    }
    throw new BudgetContendedError('the budget is changed all the time');
  }

  return {
    read,
    current,

    /**
     * Reserves as many of `wanted` pulls as the caps leave, to be settled before the key's time.
     * @returns how many; 0 when nothing is left.
     */
    async reserve(
      { key, wanted, caps }: { key: string; wanted: number; caps: Caps },
      now: number,
    ): Promise<number> {
      for (let attempt = 0; attempt < mostTries; attempt += 1) {
        const budget = await current(now);
        const granted = Math.min(wanted, pullsLeft(budget, caps));
        if (granted <= 0) return 0;
        const isReserved = await writeIf(() =>
          budgets
            .build(UpdateItemCommand)
            .item({
              id,
              moves: $add(1),
              dayCommitted: $add(granted),
              periodCommitted: $add(granted),
              reservations: { [key]: addTo(key, granted) },
            })
            .options({
              condition: {
                and: [
                  { attr: 'dayCommitted', lte: caps.daily - granted },
                  { attr: 'periodCommitted', lte: caps.monthly - granted },
                  { attr: 'dayStart', eq: budget.dayStart },
                ],
              },
            })
            .send(),
        );
        if (isReserved) return granted;
      }
      return 0;
    },

    /**
     * Settles `reserved` pulls of a reservation as `spent`. Of one that has lapsed, only what was
     * spent counts.
     */
    async settle(
      key: string,
      { reserved, spent }: { reserved: number; spent: number },
    ): Promise<void> {
      const isLive = await writeIf(() =>
        budgets
          .build(UpdateItemCommand)
          .item({
            id,
            moves: $add(1),
            dayCommitted: $add(spent - reserved),
            periodCommitted: $add(spent - reserved),
            daySpent: $add(spent),
            periodSpent: $add(spent),
            reservations: { [key]: addTo(key, -reserved) },
          })
          .options({ condition: { attr: `reservations['${key}']`, gte: reserved } })
          .send(),
      );
      if (isLive || spent === 0) return;
      await budgets
        .build(UpdateItemCommand)
        .item({
          id,
          moves: $add(1),
          dayCommitted: $add(spent),
          periodCommitted: $add(spent),
          daySpent: $add(spent),
          periodSpent: $add(spent),
        })
        .send();
    },

    /**
     * Takes over the ledger's sums and the marketplace's period, unless more was spent meanwhile.
     * Reservations stay as they are.
     */
    recount(
      before: Budget,
      counted: { daySpent: number; periodSpent: number; period: Period },
    ): Promise<boolean> {
      const { daySpent, periodSpent, period } = counted;
      return writeIf(() =>
        budgets
          .build(UpdateItemCommand)
          .item({
            id,
            moves: $add(1),
            daySpent,
            dayCommitted: $add(daySpent - before.daySpent),
            periodStart: period.start,
            periodEnd: period.end,
            periodSpent,
            periodCommitted: $add(periodSpent - before.periodSpent),
          })
          .options({
            condition: {
              and: [
                { attr: 'dayStart', eq: before.dayStart },
                { attr: 'periodStart', eq: before.periodStart },
                { attr: 'daySpent', eq: before.daySpent },
                { attr: 'periodSpent', eq: before.periodSpent },
              ],
            },
          })
          .send(),
      );
    },

    /** Sets the fleet's stretch, in milliseconds. */
    async setStretch(stretchMs: number): Promise<void> {
      await writeIf(() =>
        budgets
          .build(UpdateItemCommand)
          .item({ id, moves: $add(1), stretchMs })
          .options({ condition: { attr: 'id', exists: true } })
          .send(),
      );
    },

    /** What the operator has set by API: lower caps than the deployment's, and owners' shares. */
    async settings(): Promise<BudgetSettings> {
      const found = await settings.build(GetItemCommand).key({ id }).send();
      const { daily, monthly, ownerShares = {} } = found.Item ?? {};
      return { daily, monthly, ownerShares };
    },

    async keepSettings(wanted: BudgetSettings): Promise<void> {
      await settings
        .build(PutItemCommand)
        .item({ id, ...wanted })
        .send();
    },

    /** Adds to what an owner's watches have cost of a day. */
    async chargeOwner(day: string, ownerId: string, micropulls: number): Promise<void> {
      await ownerDays
        .build(UpdateItemCommand)
        .item({
          day,
          ownerId,
          micropulls: $add(micropulls),
          expiresAtEpochSeconds: ownerDayExpiry(day),
        })
        .send();
    },

    /**
     * Charges an owner pulls of a day unless that would exceed `most`.
     * @returns false when it would; nothing is charged then.
     */
    async chargeOwnerWithin(
      day: string,
      ownerId: string,
      { pulls, most }: { pulls: number; most: number },
    ): Promise<boolean> {
      if (pulls > most) return false;
      return writeIf(() =>
        ownerDays
          .build(UpdateItemCommand)
          .item({
            day,
            ownerId,
            micropulls: $add(pulls * 1_000_000),
            expiresAtEpochSeconds: ownerDayExpiry(day),
          })
          .options({
            condition: {
              or: [
                { attr: 'micropulls', exists: false },
                { attr: 'micropulls', lte: (most - pulls) * 1_000_000 },
              ],
            },
          })
          .send(),
      );
    },

    /** Pulls that an owner's watches have cost of a day. */
    async spentByOwner(day: string, ownerId: string): Promise<number> {
      const found = await ownerDays.build(GetItemCommand).key({ day, ownerId }).send();
      return (found.Item?.micropulls ?? 0) / 1_000_000;
    },
  };
}

/** An owner's day is kept for as long as a billing period and more. */
function ownerDayExpiry(day: string): number {
  return Math.floor(Date.parse(day) / 1_000) + 40 * 86_400;
}

/** DynamoDB adds in place to top-level attributes only; this one is inside a map. */
function addTo(key: string, pulls: number) {
  return $sum($get(`reservations['${key}']`, 0), pulls);
}

/** Thrown when the budget can't be read or turned for all the others that do: nothing was spent. */
export class BudgetContendedError extends Error {
  override readonly name = 'BudgetContendedError';
}

/** What may be set by API. Shares are fractions of the daily cap, by owner. */
export interface BudgetSettings {
  daily?: number | undefined;
  monthly?: number | undefined;
  ownerShares: Record<string, number>;
}

export type BudgetStore = ReturnType<typeof createBudgetStore>;
