// The ledger of pulls in the Watchlist table, one partition per day.
import { Entity } from 'dynamodb-toolbox/entity';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import type { Pull } from '#shared/polling/pull.ts';
import { areSharers } from '#shared/polling/pull-sharers.ts';
import { absent, orElse, type RawItem } from './attribute-readings.ts';
import { writeIf } from './conditional-write.ts';
import { pullSchema } from './schemas/pull-schema.ts';
import { leniently, readAll } from './stored-items.ts';
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

  // A damaged row counts as one pull, the upper bound for a call: never one too few.
  const reading = leniently(pulls, {
    day: { otherwise: dayOf },
    callId: { otherwise: callOf },
    eventId: { otherwise: (raw) => Number(callOf(raw).split('#')[1]) },
    kind: { otherwise: (raw) => callOf(raw).split('#')[0] },
    pulls: orElse(1),
    reason: orElse('unknown'),
    // Its cost can no longer be corrected from the marketplace's usage.
    state: orElse('settled'),
    pulledAt: { otherwise: (raw) => Date.parse(dayOf(raw)) },
    watches: orElse(0),
    // Then the call is in no owner's totals.
    sharers: { ...absent, isReadable: areSharers },
    expiresAtEpochSeconds: orElse(0),
  });

  return {
    /** @returns false when this call was already recorded; the first record stays. */
    create(pull: Pull): Promise<boolean> {
      return writeIf(() =>
        pulls
          .build(PutItemCommand)
          .item(pull)
          .options({ condition: { attr: 'callId', exists: false } })
          .send(),
      );
    },

    /** Sets the cost of an unsettled call, by the marketplace's usage. */
    correct({ day, callId }: Pull, pulled: number): Promise<boolean> {
      return writeIf(() =>
        pulls
          .build(UpdateItemCommand)
          .item({ day, callId, pulls: pulled })
          .options({ condition: { attr: 'state', eq: 'unsettled' } })
          .send(),
      );
    },

    /** The rows of one feed on a UTC date. */
    ofFeed(day: string, { eventId, kind }: Pick<Pull, 'eventId' | 'kind'>): Promise<Pull[]> {
      const query = table.build(QueryCommand).query({
        partition: `LEDGER#${day}`,
        range: { beginsWith: `PULL#${kind}#${eventId}#` },
      });
      return readAll(query, pulls, reading);
    },

    /** Every row of a UTC date. */
    ofDay(day: string): Promise<Pull[]> {
      const query = table
        .build(QueryCommand)
        .query({ partition: `LEDGER#${day}` })
        .options({ consistent: true });
      return readAll(query, pulls, reading);
    },
  };
}

function dayOf({ pk }: RawItem): string {
  return String(pk).slice('LEDGER#'.length);
}

function callOf({ sk }: RawItem): string {
  return String(sk).slice('PULL#'.length);
}

export type PullStore = ReturnType<typeof createPullStore>;
