// A drill of a restore: tables with a life in them, a copy of them at a moment, and the way back to that copy.
import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { bringUpToDate } from '#infra/operate/restore/bring-up-to-date.ts';
import { createWatchlistTable } from '#shared/dynamo/tables.ts';
import { createPipeline, type Pipeline, type Sent } from '#test/support/pipeline.ts';
import { startDynaliteTables, type TestTables } from '#test/support/tables.ts';

export const below80 = { type: 'level', metric: 'get_in', at_or_below: 80 };
export const minuteMs = 60_000;

interface Backup {
  to: number;
  tables: TestTables;
}

/** What was sent: the price in dollars, and whether it says that it may be a repeat. */
export function told(sent: readonly Sent[]): [number, boolean][] {
  return sent.map(({ alert }) => [alert.value / 100, alert.mayRepeatSince !== undefined]);
}

export class RestoreDrill {
  readonly now: TestTables;
  pipeline: Pipeline;
  readonly #opened: TestTables[];

  private constructor(now: TestTables, pipeline: Pipeline) {
    this.now = now;
    this.pipeline = pipeline;
    this.#opened = [now];
  }

  /** A life with a watch of these rules. */
  static async begin(rules: readonly unknown[] = [below80]): Promise<RestoreDrill> {
    const now = await startDynaliteTables();
    const drill = new RestoreDrill(now, await createPipeline(now.stores));
    await drill.pipeline.addWatch(rules);
    return drill;
  }

  async end(): Promise<void> {
    for (const each of this.#opened) await each.stop();
  }

  async minutes(...prices: number[]): Promise<void> {
    for (const price of prices) await this.pipeline.minute(price);
  }

  /** Copies the tables as they are now, as a point-in-time backup. */
  async backUp(): Promise<Backup> {
    const tables = await this.#open();
    for (const TableName of Object.values(this.now.names)) {
      const { Items = [] } = await this.now.client.send(new ScanCommand({ TableName }));
      for (const Item of Items) await tables.client.send(new PutCommand({ TableName, Item }));
    }
    return { to: this.pipeline.clock.now, tables };
  }

  /** Goes back to the backup. @param isKnown whether the tables from before the restore still have everything */
  async restore({ to, tables }: Backup, isKnown = true) {
    const { market, sent: before, clock } = this.pipeline;
    const stoppedAt = clock.now;
    const witness = isKnown ? this.now : await this.#open();
    const again = () =>
      bringUpToDate({
        restored: createWatchlistTable(tables.client, 'Watchlist'),
        witness: createWatchlistTable(witness.client, 'Watchlist'),
        ...{ to, stoppedAt, say: () => {} },
      });
    const done = await again();
    this.pipeline = await createPipeline(tables.stores);
    this.pipeline.market.push(...market);
    this.pipeline.clock.now = stoppedAt;
    return { done, before, again, stores: tables.stores };
  }

  /** An alert is raised, and its message to the sender is lost. */
  async raiseUnsent(price: number): Promise<void> {
    const { clock, market, loseQueue, dispatch } = this.pipeline;
    clock.now += minuteMs;
    market.push({
      ...(market.at(-1) as (typeof market)[number]),
      timestamp: new Date(clock.now - 1_000).toISOString(),
      ...{ get_in: price, avg_price: price, median_price: price, get_in_qty2plus: price },
    });
    await dispatch();
    await loseQueue('email');
  }

  async #open(): Promise<TestTables> {
    const tables = await startDynaliteTables();
    this.#opened.push(tables);
    return tables;
  }
}
