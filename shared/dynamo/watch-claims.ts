// Which watch asks which question: one item per owner and question, so that two concurrent equal requests make
// one watch. A claim counts only while its watch exists and still asks the same.
import { Entity } from 'dynamodb-toolbox/entity';
import { DeleteItemCommand } from 'dynamodb-toolbox/entity/actions/delete';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { type FormattedValue, item, number, string } from 'dynamodb-toolbox/schema';
import { orElse } from './attribute-readings.ts';
import { isStillOrNoNumber, writeIf } from './conditional-write.ts';
import { leniently, readOne } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

const claimSchema = item({
  ownerId: string().key(),
  question: string().key(),
  watchId: string(),
  claimedAt: number(),
});

/** No watch has this id. */
const unknownWatch = 'unknown';

export type WatchClaim = FormattedValue<typeof claimSchema>;

/** Reads and writes of claims. */
export function createWatchClaimStore(table: WatchlistTable) {
  const claims = new Entity({
    name: 'watchClaim',
    table,
    timestamps: false,
    schema: claimSchema,
    computeKey: ({ ownerId, question }) => ({ pk: `OWNER#${ownerId}`, sk: `ASKS#${question}` }),
  });

  return {
    async find(ownerId: string, question: string): Promise<WatchClaim | undefined> {
      // A claim with an unknown watch counts as abandoned: the next watch takes it over.
      const reading = leniently(claims, {
        ...{ ownerId: orElse(ownerId), question: orElse(question) },
        ...{ watchId: orElse(unknownWatch), claimedAt: orElse(0) },
      });
      const action = claims
        .build(GetItemCommand)
        .key({ ownerId, question })
        .options({ consistent: true });
      return readOne(action, reading);
    },

    /** Claims a question, or takes over a claim that was read before. @returns false when another request did. */
    claim(wanted: WatchClaim, before: WatchClaim | undefined): Promise<boolean> {
      return writeIf(() =>
        claims
          .build(PutItemCommand)
          .item(wanted)
          .options({
            condition: before
              ? {
                  and: [
                    {
                      or: [
                        { attr: 'watchId', eq: before.watchId },
                        {
                          // A claim that was released meanwhile is absent; a damaged one is present.
                          and: [
                            { attr: 'question', exists: true },
                            { not: { attr: 'watchId', type: 'S' } },
                          ],
                        },
                      ],
                    },
                    isStillOrNoNumber('claimedAt', before.claimedAt),
                  ],
                }
              : { attr: 'watchId', exists: false },
          })
          .send(),
      );
    },

    /** Releases a claim whose watch was not created, or no longer exists. */
    async release({ ownerId, question, watchId }: Omit<WatchClaim, 'claimedAt'>): Promise<void> {
      await writeIf(() =>
        claims
          .build(DeleteItemCommand)
          .key({ ownerId, question })
          .options({ condition: { attr: 'watchId', eq: watchId } })
          .send(),
      );
    },
  };
}
