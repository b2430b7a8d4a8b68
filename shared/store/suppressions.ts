// The suppression list in the Watchlist table: one item an address.
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { $add, $get, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import {
  sameAddress,
  softBouncesToSuppress,
  suppressionSchema,
} from '#shared/alerts/suppression.ts';
import type { WatchlistTable } from './tables.ts';

/** Reads and writes of the suppression list. Feedback that comes twice counts once. */
export function createSuppressionStore(table: WatchlistTable) {
  const suppressions = new Entity({
    name: 'suppression',
    table,
    timestamps: false,
    schema: suppressionSchema,
    computeKey: ({ address }) => ({ pk: `ADDRESS#${address}`, sk: 'SUPPRESSION' }),
  });

  async function suppress(given: string, reason: string, now: number): Promise<void> {
    const address = sameAddress(given);
    await suppressions
      .build(UpdateItemCommand)
      .item({ address, isSuppressed: true, reason, updatedAt: now })
      .send();
  }

  return {
    /** Why no mail goes to an address; undefined when it may. */
    async reasonFor(address: string): Promise<string | undefined> {
      const found = await suppressions
        .build(GetItemCommand)
        .key({ address: sameAddress(address) })
        .send();
      return found.Item?.isSuppressed ? (found.Item.reason ?? 'suppressed') : undefined;
    },

    /** Lets no more mail through to an address. */
    suppress,

    /**
     * Counts a bounce that may pass, by its feedback id; too many suppress the address.
     * @returns whether they did.
     */
    async countSoftBounce(given: string, feedbackId: string, now: number): Promise<boolean> {
      const answer = await suppressions
        .build(UpdateItemCommand)
        .item({
          address: sameAddress(given),
          softBounces: $add(new Set([feedbackId])),
          isSuppressed: $get('isSuppressed', false),
          updatedAt: now,
        })
        .options({ returnValues: 'ALL_NEW' })
        .send();
      if ((answer.Attributes?.softBounces?.size ?? 0) < softBouncesToSuppress) return false;
      await suppress(given, 'soft_bounces', now);
      return true;
    },
  };
}

export type SuppressionStore = ReturnType<typeof createSuppressionStore>;
