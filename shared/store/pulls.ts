// The ledger of pulls in the Watchlist table, a partition a day.
import { Entity } from 'dynamodb-toolbox/entity';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import { type Pull, pullSchema } from '#shared/polling/pull.ts';
import { writeIf } from './conditional-write.ts';
import type { WatchlistTable } from './tables.ts';

/** Reads and writes of the pull ledger. */
export function createPullStore(table: WatchlistTable) {
  const pulls = new Entity({
    name: 'pull',
    table,
    timestamps: false,
    schema: pullSchema,
    computeKey: ({ day, callId }) => ({ pk: `LEDGER#${day}`, sk: `PULL#${callId}` }),
  });

  return {
    /** @returns false when this call was noted before; it stays as it was noted. */
    create(pull: Pull): Promise<boolean> {
      return writeIf(() =>
        pulls
          .build(PutItemCommand)
          .item(pull)
          .options({ condition: { attr: 'callId', exists: false } })
          .send(),
      );
    },

    /** What an unsettled call cost after all, as far as the marketplace's usage tells. */
    correct({ day, callId }: Pull, pulled: number): Promise<boolean> {
      return writeIf(() =>
        pulls
          .build(UpdateItemCommand)
          .item({ day, callId, pulls: pulled })
          .options({ condition: { attr: 'state', eq: 'unsettled' } })
          .send(),
      );
    },

    /** Every row of a UTC date. */
    async ofDay(day: string): Promise<Pull[]> {
      const { Items = [] } = await table
        .build(QueryCommand)
        .entities(pulls)
        .query({ partition: `LEDGER#${day}` })
        .options({ consistent: true, maxPages: Number.POSITIVE_INFINITY })
        .send();
      return Items;
    },
  };
}

export type PullStore = ReturnType<typeof createPullStore>;
