// The suppression list in the Watchlist table: one item an address.
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { $add, $get, $remove, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import {
  type Suppression,
  type SuppressionReason,
  sameAddress,
  softBouncesToSuppress,
  suppressionSchema,
} from '#shared/alerts/suppression.ts';
import { writeIf } from './conditional-write.ts';
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

  async function find(address: string): Promise<Suppression | undefined> {
    const found = await suppressions
      .build(GetItemCommand)
      .key({ address: sameAddress(address) })
      .options({ consistent: true })
      .send();
    return found.Item;
  }

  /**
   * `at` is when the mailbox answered.
   * @returns false where that was before the last lift, or a complaint stands already.
   */
  function suppress(given: string, reason: SuppressionReason, at: number): Promise<boolean> {
    const isNew = isAfterLift(at);
    const isNoComplaint = {
      or: [
        { attr: 'isSuppressed', exists: false },
        { attr: 'isSuppressed', eq: false },
        { attr: 'reason', ne: 'complaint' },
      ],
    };
    const condition = reason === 'complaint' ? isNew : { and: [isNew, isNoComplaint] };
    return writeIf(() =>
      suppressions
        .build(UpdateItemCommand)
        .item({
          ...{ address: sameAddress(given), isSuppressed: true, reason, updatedAt: at },
          suppressedAt: $get('suppressedAt', at),
        })
        .options({ condition: condition as never })
        .send(),
    );
  }

  return {
    find,

    /** Why no mail goes to an address; undefined when it may. */
    async reasonFor(address: string): Promise<string | undefined> {
      const found = await find(address);
      return found?.isSuppressed ? (found.reason ?? 'suppressed') : undefined;
    },

    suppress,

    /**
     * Lets mail through to an address again, as its suppression was read.
     * @returns false where it was lifted or changed since.
     */
    lift({ address, updatedAt }: Suppression, now: number): Promise<boolean> {
      return writeIf(() =>
        suppressions
          .build(UpdateItemCommand)
          .item({
            ...{ address, isSuppressed: false, reason: $remove(), softBounces: $remove() },
            ...{ suppressedAt: $remove(), liftedAt: now, lifts: $add(1), updatedAt: now },
          })
          .options({
            condition: {
              and: [
                { attr: 'isSuppressed', eq: true },
                { attr: 'updatedAt', eq: updatedAt },
              ],
            },
          })
          .send(),
      );
    },

    /**
     * Counts a bounce that may pass, by its feedback id; too many suppress the address. One from before
     * the last lift does not count.
     * @returns whether they did.
     */
    async countSoftBounce(given: string, feedbackId: string, at: number): Promise<boolean> {
      let size = 0;
      const isCounted = await writeIf(async () => {
        const answer = await suppressions
          .build(UpdateItemCommand)
          .item({
            address: sameAddress(given),
            softBounces: $add(new Set([feedbackId])),
            isSuppressed: $get('isSuppressed', false),
            updatedAt: at,
          })
          .options({ condition: isAfterLift(at) as never, returnValues: 'ALL_NEW' })
          .send();
        size = answer.Attributes?.softBounces?.size ?? 0;
      });
      if (!isCounted || size < softBouncesToSuppress) return false;
      return suppress(given, 'soft_bounces', at);
    },
  };
}

/** Feedback on what was sent before a lift says nothing about the mailbox since. */
function isAfterLift(at: number): object {
  return {
    or: [
      { attr: 'liftedAt', exists: false },
      { attr: 'liftedAt', lt: at },
    ],
  };
}

export type SuppressionStore = ReturnType<typeof createSuppressionStore>;
