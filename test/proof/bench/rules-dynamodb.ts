/**
 * The DynamoDB reads of one snapshot, by ConsumedCapacity, against the number of triggers
 * on the event and the number that the snapshot reaches; beside the naive way, which reads every trigger.
 *
 *   node test/proof/bench/rules-dynamodb.ts [--quick]
 */
import { parseArgs } from 'node:util';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { compileRule } from '#shared/rules/compile.ts';
import { createTrigger, type Trigger } from '#shared/rules/trigger.ts';
import { startDynaliteTables, type TestTables } from '#test/support/tables.ts';

const series = 'stats/get_in';
const reachedCounts = [0, 10, 1_000] as const;

interface Figure {
  waiting: number;
  reached: number;
  itemsRead: number;
  readUnits: number;
  /** Reading every trigger of the event instead. */
  naiveItemsRead: number;
}

/** One watcher's trigger, armed at a level in cents. */
function triggerAt(event: number, cents: number): Trigger {
  const [spec] = compileRule({ type: 'level', metric: 'get_in', at_or_below: cents / 100 });
  if (!spec) throw new Error('a level rule has one trigger');
  const id = `${event}_${cents}`;
  const names = { triggerId: `trg_${id}`, watchId: `wat_${id}`, ruleId: `rul_${id}` };
  const trigger = createTrigger(spec, { ...names, ownerId: 'own_bench', eventId: event }, 0);
  return { ...trigger, state: 'armed' };
}

async function armTriggers(tables: TestTables, event: number, count: number): Promise<void> {
  const atOnce = 50;
  for (let start = 0; start < count; start += atOnce) {
    const levels = Array.from({ length: Math.min(atOnce, count - start) }, (_, i) => start + i + 1);
    await Promise.all(
      levels.map((cents) => tables.stores.triggers.create(triggerAt(event, cents))),
    );
  }
}

/** Adds up what the queries of `work` read. */
async function measureReads(tables: TestTables, work: () => Promise<void>) {
  const total = { itemsRead: 0, readUnits: 0 };
  tables.client.middlewareStack.add(
    (next, context) => async (args) => {
      if (context.commandName !== QueryCommand.name) return next(args);
      Object.assign(args.input, { ReturnConsumedCapacity: 'TOTAL' });
      const result = await next(args);
      const { ScannedCount = 0, ConsumedCapacity } = result.output as {
        ScannedCount?: number;
        ConsumedCapacity?: { CapacityUnits?: number };
      };
      total.itemsRead += ScannedCount;
      total.readUnits += ConsumedCapacity?.CapacityUnits ?? 0;
      return result;
    },
    { step: 'initialize', name: 'measureReads', override: true },
  );
  await work();
  tables.client.middlewareStack.remove('measureReads');
  return total;
}

async function measure(tables: TestTables, event: number, waiting: number): Promise<Figure[]> {
  await armTriggers(tables, event, waiting);
  const figures: Figure[] = [];
  for (const reached of reachedCounts.filter((count) => count <= waiting)) {
    const value = waiting - reached + 1;
    const { index } = tables.stores.triggers.forEvent(event);
    const reads = await measureReads(tables, async () => {
      await index.unsettled();
      for (const direction of ['down', 'up'] as const) {
        await index.armedReachedBy({ series, direction, value });
        await index.firedPassedBy({ series, direction, value });
      }
    });
    figures.push({ waiting, reached, ...reads, naiveItemsRead: waiting });
  }
  return figures;
}

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const sizes = values.quick ? [1_000, 4_000] : [1_000, 10_000, 50_000];
const tables = await startDynaliteTables();
const figures: Figure[] = [];
for (const [event, waiting] of sizes.entries()) {
  figures.push(...(await measure(tables, event + 1, waiting)));
}
await tables.stop();

console.table(
  figures.map((figure) => ({
    'triggers waiting': figure.waiting,
    'triggers reached': figure.reached,
    'items read': figure.itemsRead,
    'read units': figure.readUnits,
    'items read by a plain loop': figure.naiveItemsRead,
  })),
);
console.log(JSON.stringify({ bench: 'rules-dynamodb', figures }));
