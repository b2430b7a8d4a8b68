// Dispositions in the Watchlist table, stored beside their alert.
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import type { Disposition } from '#shared/delivery/disposition.ts';
import { expiryAfter, type Retention } from '#shared/retention.ts';
import { writeIf } from './conditional-write.ts';
import { dispositionSchema } from './schemas/disposition-schema.ts';
import { orMissing, readAll, readOne } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** The subject of a decision: one alert and one channel. */
export interface DecisionPlace extends Pick<Disposition, 'alertId' | 'channelId'> {
  isNew?: boolean;
}

/** Reads and writes of dispositions; one never changes once written. */
export function createDispositionStore(table: WatchlistTable, { alertDays }: Retention) {
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
     * The stored decision, or the one that `decide` makes if none is stored before it.
     * @param place.isNew the alert has just been written, so that a stored decision is unlikely.
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
          .item({
            ...decided,
            expiresAtEpochSeconds: expiryAfter(decided.decidedAt, alertDays),
          })
          .options({ condition: { attr: 'alertId', exists: false } })
          .send(),
      );
      return isFirst ? decided : ((await find(alertId, channelId)) ?? decided);
    },

    /** Every decision about an alert, one per channel. */
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
