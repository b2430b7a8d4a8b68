// The suppression list in the Watchlist table: one item per address, under its hash. The list must outlast the
// channels and owners that used an address, so it doesn't name the address.
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { $add, $get, $remove, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import {
  addressHash,
  type Suppression,
  type SuppressionReason,
  softBouncesToSuppress,
} from '#shared/delivery/suppression.ts';
import { fromKey, orElse } from './attribute-readings.ts';
import { isNoNumber, isStillOrNoNumber, writeIf, writeOrReplace } from './conditional-write.ts';
import { suppressionSchema } from './schemas/suppression-schema.ts';
import { leniently, readOne, updateAndRead } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** A report of a damaged item contains no address. */
const place = { what: 'suppression', ids: {} };

/** Reads and writes of the suppression list. Repeated feedback counts once. */
export function createSuppressionStore(table: WatchlistTable) {
  const suppressions = new Entity({
    name: 'suppression',
    table,
    timestamps: false,
    schema: suppressionSchema,
    computeKey: ({ addressHash: hash }) => ({ pk: `ADDRESS#${hash}`, sk: 'SUPPRESSION' }),
  });

  // A damaged item blocks its address for the strictest reason until it is lifted.
  const reading = leniently(suppressions, {
    ...{ addressHash: fromKey('ADDRESS#'), isSuppressed: orElse(true), updatedAt: orElse(0) },
  });

  function find(given: string): Promise<Suppression | undefined> {
    const action = suppressions
      .build(GetItemCommand)
      .key({ addressHash: addressHash(given) })
      .options({ consistent: true });
    return readOne(action, reading);
  }

  /**
   * `at` is when the mailbox answered.
   * @returns false if that was before the last lift, or the address is already blocked by a complaint.
   */
  function suppress(given: string, reason: SuppressionReason, at: number): Promise<boolean> {
    const isNew = isAfterLift(at);
    // A lift removes the reason.
    const isNoComplaint = { attr: 'reason', ne: 'complaint' };
    const condition = reason === 'complaint' ? isNew : { and: [isNew, isNoComplaint] };
    return writeIf(() =>
      suppressions
        .build(UpdateItemCommand)
        .item({
          ...{ addressHash: addressHash(given), isSuppressed: true, reason, updatedAt: at },
          suppressedAt: $get('suppressedAt', at),
        })
        .options({ condition: condition as never })
        .send(),
    );
  }

  return {
    find,

    /** Why an address is suppressed; undefined if it may get mail. */
    async reasonFor(address: string): Promise<string | undefined> {
      const found = await find(address);
      return found?.isSuppressed ? (found.reason ?? 'suppressed') : undefined;
    },

    suppress,

    /**
     * Lifts the suppression of an address, if it is still as it was read.
     * @returns false if it was lifted or changed since.
     */
    lift({ addressHash: hash, updatedAt }: Suppression, now: number): Promise<boolean> {
      // Also holds for a damaged value, which reads as suppressed.
      const isSuppressed = { attr: 'isSuppressed', ne: false };
      const condition = { and: [isSuppressed, isStillOrNoNumber('updatedAt', updatedAt)] };
      const lifting = (lifts: ReturnType<typeof $add<1>> | 1) => () =>
        writeIf(() =>
          suppressions
            .build(UpdateItemCommand)
            .item({
              ...{
                addressHash: hash,
                isSuppressed: false,
                reason: $remove(),
                softBounces: $remove(),
              },
              ...{ suppressedAt: $remove(), liftedAt: now, lifts, updatedAt: now },
            })
            .options({ condition: condition as never })
            .send(),
        );
      return writeOrReplace(place, lifting($add(1)), lifting(1));
    },

    /**
     * Counts a soft bounce, by its feedback id; too many suppress the address. A bounce from before
     * the last lift does not count.
     * @returns whether this bounce suppressed the address.
     */
    async countSoftBounce(given: string, feedbackId: string, at: number): Promise<boolean> {
      const bounces = new Set([feedbackId]);
      let size = 0;
      const counting = (softBounces: ReturnType<typeof $add<Set<string>>> | Set<string>) => () =>
        writeIf(async () => {
          const action = suppressions
            .build(UpdateItemCommand)
            .item({
              ...{ addressHash: addressHash(given), softBounces, updatedAt: at },
              isSuppressed: $get('isSuppressed', false),
            })
            .options({ condition: isAfterLift(at) as never, returnValues: 'ALL_NEW' });
          size = (await updateAndRead(action, reading))?.softBounces?.size ?? 0;
        });
      const isCounted = await writeOrReplace(place, counting($add(bounces)), counting(bounces));
      if (!isCounted || size < softBouncesToSuppress) return false;
      return suppress(given, 'soft_bounces', at);
    },
  };
}

/** Feedback on mail from before a lift says nothing about the mailbox after it. */
function isAfterLift(at: number): object {
  return {
    or: [isNoNumber('liftedAt'), { attr: 'liftedAt', lt: at }],
  };
}

export type SuppressionStore = ReturnType<typeof createSuppressionStore>;
