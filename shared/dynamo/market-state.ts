// The marketplace's state that all workers share: one item in the Watchlist table.
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { type MarketState, newMarketState } from '#shared/polling/market-state.ts';
import { orElse } from './attribute-readings.ts';
import { isNoNumber, writeIf } from './conditional-write.ts';
import { type Pause, pauseAfterLoss } from './contention-pause.ts';
import { marketStateSchema } from './schemas/market-state-schema.ts';
import { leniently, readOne } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

const mostTries = 20;

/** Thrown when other workers changed the state during every try: nothing was written. */
export class MarketStateContendedError extends Error {
  override readonly name = 'MarketStateContendedError';
}

/** Reads and changes of the state. */
export function createMarketStateStore(table: WatchlistTable, pause: Pause = pauseAfterLoss) {
  const states = new Entity({
    name: 'marketState',
    table,
    timestamps: false,
    schema: marketStateSchema,
    computeKey: () => ({ pk: 'MARKETPLACE', sk: 'STATE' }),
  });

  // Damaged parts restart as in a new deployment; the next change writes them.
  const { version, faults, notBefore, windows, limits } = newMarketState;
  const reading = leniently(states, {
    id: orElse(newMarketState.id),
    ...{ version: orElse(version), faults: orElse(faults), notBefore: orElse(notBefore) },
    ...{ windows: orElse(windows), limits: orElse(limits) },
  });

  async function read(): Promise<MarketState> {
    const action = states
      .build(GetItemCommand)
      .key({ id: newMarketState.id })
      .options({ consistent: true });
    return (await readOne(action, reading)) ?? newMarketState;
  }

  return {
    read,

    /**
     * Changes the state by a function of its value; an equal result writes nothing. Retried when
     * another worker changed it meanwhile.
     * @returns the state before and after.
     */
    async change(
      decide: (state: MarketState) => MarketState,
    ): Promise<{ before: MarketState; after: MarketState }> {
      for (let attempt = 0; attempt < mostTries; attempt += 1) {
        const before = await read();
        const decided = decide(before);
        if (decided === before) return { before, after: before };
        const after = { ...decided, version: before.version + 1 };
        const isWritten = await writeIf(() =>
          states
            .build(PutItemCommand)
            .item(after)
            .options({
              condition:
                before.version === 0
                  ? isNoNumber('version')
                  : { attr: 'version', eq: before.version },
            })
            .send(),
        );
        if (isWritten) return { before, after };
        await pause(attempt);
      }
      throw new MarketStateContendedError('the marketplace state kept changing during the write');
    },
  };
}

export type MarketStateStore = ReturnType<typeof createMarketStateStore>;
