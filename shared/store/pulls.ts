// The ledger of pulls in the Watchlist table.
import { Entity } from 'dynamodb-toolbox/entity';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { type Pull, pullSchema } from '#shared/polling/pull.ts';
import { writeIf } from './conditional-write.ts';
import type { WatchlistTable } from './tables.ts';

/** Writes of the pull ledger. */
export function createPullStore(table: WatchlistTable) {
  const pulls = new Entity({
    name: 'pull',
    table,
    timestamps: false,
    schema: pullSchema,
    computeKey: ({ eventId, kind, refreshAt }) => ({
      pk: `EVENT#${eventId}`,
      sk: `PULL#${kind}#${new Date(refreshAt).toISOString()}`,
    }),
  });

  return {
    /** @returns false when this refresh was noted before. */
    create(pull: Pull): Promise<boolean> {
      return writeIf(() =>
        pulls
          .build(PutItemCommand)
          .item(pull)
          .options({ condition: { attr: 'eventId', exists: false } })
          .send(),
      );
    },
  };
}

export type PullStore = ReturnType<typeof createPullStore>;
