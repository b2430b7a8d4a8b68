// Spending limits besides the caps, in the Watchlist table: the operator's settings, and what each
// owner has spent per day.
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { $add, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { item, number, record, string } from 'dynamodb-toolbox/schema';
import { orElse, type RawItem } from './attribute-readings.ts';
import { isNoNumber, isStillOrNoNumber, writeIf, writeOrReplace } from './conditional-write.ts';
import { leniently, readOne } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

const id = 'pulls';

/** The settings that the API can change. Shares are fractions of the daily cap, by owner. */
export interface BudgetSettings {
  daily?: number | undefined;
  monthly?: number | undefined;
  ownerShares: Record<string, number>;
}

/** Settings as they were read; `revision` grows with every change and is 0 before the first. */
export interface KnownSettings extends BudgetSettings {
  revision: number;
}

/** Reads and writes of the settings and of owners' daily sums. */
export function createBudgetShares(table: WatchlistTable) {
  const settings = new Entity({
    name: 'budgetSettings',
    table,
    timestamps: false,
    schema: item({
      id: string().key(),
      daily: number().optional(),
      monthly: number().optional(),
      ownerShares: record(string(), number()),
      revision: number().optional(),
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

  // A damaged cap is ignored, because the deployment's cap still holds; a damaged share is ignored.
  const settingsReading = leniently(settings, {
    id: orElse(id),
    ownerShares: { otherwise: readableShares },
  });
  const dayReading = leniently(ownerDays, {
    day: { otherwise: ({ pk }) => String(pk).slice('BUDGET#'.length) },
    ownerId: { otherwise: ({ sk }) => String(sk).slice('OWNER#'.length) },
    ...{ micropulls: orElse(0), expiresAtEpochSeconds: orElse(0) },
  });

  return {
    /** The operator's settings from the API: lower caps than the deployment's, and owners' shares. */
    async settings(): Promise<KnownSettings> {
      const action = settings.build(GetItemCommand).key({ id }).options({ consistent: true });
      const found = await readOne(action, settingsReading);
      const { daily, monthly, ownerShares = {}, revision = 0 } = found ?? {};
      return { daily, monthly, ownerShares, revision };
    },

    /** Replaces all settings. @returns false when another request changed them since `before` was read. */
    replaceSettings(
      { revision }: Pick<KnownSettings, 'revision'>,
      { daily, monthly, ownerShares }: BudgetSettings,
    ): Promise<boolean> {
      return writeIf(() =>
        settings
          .build(PutItemCommand)
          .item({ id, daily, monthly, ownerShares, revision: revision + 1 })
          .options({ condition: isStillOrNoNumber('revision', revision) })
          .send(),
      );
    },

    /** Adds to an owner's cost for a day. */
    async chargeOwner(day: string, ownerId: string, micropulls: number): Promise<void> {
      const expiresAtEpochSeconds = ownerDayExpiry(day);
      const charge = (micros: ReturnType<typeof $add<number>> | number) => () =>
        ownerDays
          .build(UpdateItemCommand)
          .item({ day, ownerId, micropulls: micros, expiresAtEpochSeconds })
          .send();
      // A damaged sum restarts at this cost, because the caps over all owners still hold.
      const anew = charge(Math.max(0, micropulls));
      await writeOrReplace(placeOf(day, ownerId), charge($add(micropulls)), anew);
    },

    /**
     * Charges pulls to an owner's day unless that would exceed `most`.
     * @returns false when it would; then nothing is charged.
     */
    async chargeOwnerWithin(
      day: string,
      ownerId: string,
      { pulls, most }: { pulls: number; most: number },
    ): Promise<boolean> {
      if (pulls > most) return false;
      const expiresAtEpochSeconds = ownerDayExpiry(day);
      const charged = pulls * 1_000_000;
      const isWithin = { attr: 'micropulls', lte: (most - pulls) * 1_000_000 } as const;
      const condition = { or: [isNoNumber('micropulls'), isWithin] };
      const charge = (micropulls: ReturnType<typeof $add<number>> | number) => () =>
        writeIf(() =>
          ownerDays
            .build(UpdateItemCommand)
            .item({ day, ownerId, micropulls, expiresAtEpochSeconds })
            .options({ condition })
            .send(),
        );
      return writeOrReplace(placeOf(day, ownerId), charge($add(charged)), charge(charged));
    },

    /** Pulls that an owner's watches have cost on a day. */
    async spentByOwner(day: string, ownerId: string): Promise<number> {
      const action = ownerDays.build(GetItemCommand).key({ day, ownerId });
      return ((await readOne(action, dayReading))?.micropulls ?? 0) / 1_000_000;
    },
  };
}

function readableShares({ ownerShares }: RawItem): Record<string, unknown> {
  const shares = Object.entries(Object(ownerShares) as Record<string, unknown>);
  return Object.fromEntries(shares.filter(([, share]) => Number.isFinite(share)));
}

function placeOf(day: string, ownerId: string) {
  return { what: 'ownerDay', ids: { day, ownerId } };
}

/** An owner's day is kept for longer than a billing period. */
function ownerDayExpiry(day: string): number {
  return Math.floor(Date.parse(day) / 1_000) + 40 * 86_400;
}
