// Counts the things of each kind that an owner has, so that a quota also holds for concurrent
// requests. A wrong count (after a crash between the count and its thing) is corrected by a recount.

import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { $add, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { item, number, string } from 'dynamodb-toolbox/schema';
import { timing } from '#shared/timing.ts';
import { fromKey, orElse } from './attribute-readings.ts';
import { isStillOrNoNumber, writeIf, writeOrReplace } from './conditional-write.ts';
import { leniently, readOne } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

export const countedKinds = ['watches', 'rules', 'channels', 'keys'] as const;
export type CountedKind = (typeof countedKinds)[number];

/** The owner, the kind and the limit; `now` is epoch milliseconds. */
interface Place {
  ownerId: string;
  kind: CountedKind;
  now: number;
}

interface AskedPlaces {
  wanted: number;
  most: number;
}

/** Counts per owner and kind; `moves` protects a recount from concurrent changes. */
export function createQuotaStore(table: WatchlistTable) {
  const counts = new Entity({
    name: 'quotaCount',
    table,
    timestamps: false,
    schema: item({
      ownerId: string().key(),
      kind: string()
        .enum(...countedKinds)
        .key(),
      taken: number(),
      moves: number(),
      movedAt: number(),
    }),
    computeKey: ({ ownerId, kind }) => ({ pk: `OWNER#${ownerId}`, sk: `QUOTA#${kind}` }),
  });
  // A damaged count reads as an old count, so it is recounted and replaced.
  const reading = leniently(counts, {
    ...{ ownerId: fromKey('OWNER#'), taken: orElse(0), moves: orElse(0), movedAt: orElse(0) },
    kind: { otherwise: ({ sk }) => String(sk).slice('QUOTA#'.length) },
  });
  const find = (ownerId: string, kind: CountedKind) =>
    readOne(
      counts.build(GetItemCommand).key({ ownerId, kind }).options({ consistent: true }),
      reading,
    );
  const unlessDamaged = (ownerId: string, kind: CountedKind, write: () => Promise<unknown>) =>
    writeOrReplace(
      { what: 'quotaCount', ids: { ownerId, kind } },
      () => writeIf(write),
      async () => false,
    );

  function add({ ownerId, kind, now }: Place, { wanted, most }: AskedPlaces): Promise<boolean> {
    return unlessDamaged(ownerId, kind, () =>
      counts
        .build(UpdateItemCommand)
        .item({ ownerId, kind, taken: $add(wanted), moves: $add(1), movedAt: now })
        .options({
          condition: {
            or: [
              { attr: 'taken', exists: false },
              { attr: 'taken', lte: most - wanted },
            ],
          },
        })
        .send(),
    );
  }

  return {
    /**
     * Reserves `wanted` of the owner's `most`. If all seem used and no count has changed recently,
     * `recount` returns the real number.
     * @returns false when there is no room.
     */
    async take(place: Place, asked: AskedPlaces, recount: () => Promise<number>): Promise<boolean> {
      const { ownerId, kind, now } = place;
      if (asked.wanted > asked.most) return false;
      if (await add(place, asked)) return true;
      const before = await find(ownerId, kind);
      // Another request released quota or recounted since the first try.
      const hasRoom = before !== undefined && before.taken + asked.wanted <= asked.most;
      if (hasRoom && (await add(place, asked))) return true;
      // A count that has just changed may include a thing that is still being created.
      if (!before || now - before.movedAt < timing.changeUnderWayMs) return false;
      const taken = await recount();
      if (taken + asked.wanted > asked.most) return false;
      await writeIf(() =>
        counts
          .build(PutItemCommand)
          .item({ ownerId, kind, taken, moves: before.moves + 1, movedAt: now })
          .options({ condition: isStillOrNoNumber('moves', before.moves) })
          .send(),
      );
      return add(place, asked);
    },

    /** Releases quota. */
    async give(ownerId: string, kind: CountedKind, places: number): Promise<void> {
      if (places <= 0) return;
      await unlessDamaged(ownerId, kind, () =>
        counts
          .build(UpdateItemCommand)
          .item({ ownerId, kind, taken: $add(-places), moves: $add(1) })
          .options({ condition: { attr: 'taken', gte: places } })
          .send(),
      );
    },
  };
}

export type QuotaStore = ReturnType<typeof createQuotaStore>;
