// Dispositions in the Watchlist table, beside the alert that they are about.
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import type { Disposition } from '#shared/alerts/disposition.ts';
import { writeIf } from './conditional-write.ts';
import { dispositionSchema } from './schemas/disposition-schema.ts';
import { orMissing, readAll, readOne } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** What is decided about: an alert on its way to a channel. */
export interface DecisionPlace extends Pick<Disposition, 'alertId' | 'channelId'> {
  isNew?: boolean;
}

/** Reads and writes of dispositions; one never changes once written. */
export function createDispositionStore(table: WatchlistTable) {
  const dispositions = new Entity({
    name: 'disposition',
    table,
    timestamps: false,
    schema: dispositionSchema,
    computeKey: ({ alertId, channelId }) => ({
      pk: `ALERT#${alertId}`,
      sk: `CHANNEL#${channelId}`,
    }),
  });

  async function find(alertId: string, channelId: string): Promise<Disposition | undefined> {
    const action = dispositions
      .build(GetItemCommand)
      .key({ alertId, channelId })
      .options({ consistent: true });
    return orMissing(readOne(action));
  }

  return {
    /**
     * The decision that stands: the one found, or the one that `decide` makes if nobody is faster.
     * @param place.isNew the alert has just been written, so that there is hardly one to be found.
     */
    async decideOnce(
      { alertId, channelId, isNew = false }: DecisionPlace,
      decide: () => Promise<Disposition>,
    ): Promise<Disposition> {
      const standing = isNew ? undefined : await find(alertId, channelId);
      if (standing) return standing;
      const decided = await decide();
      const isFirst = await writeIf(() =>
        dispositions
          .build(PutItemCommand)
          .item(decided)
          .options({ condition: { attr: 'alertId', exists: false } })
          .send(),
      );
      return isFirst ? decided : ((await find(alertId, channelId)) ?? decided);
    },

    /** Every decision about an alert, one a channel. */
    async ofAlert(alertId: string): Promise<Disposition[]> {
      const query = table
        .build(QueryCommand)
        .query({ partition: `ALERT#${alertId}`, range: { beginsWith: 'CHANNEL#' } })
        .options({ consistent: true });
      return readAll(query, dispositions);
    },
  };
}

export type DispositionStore = ReturnType<typeof createDispositionStore>;
