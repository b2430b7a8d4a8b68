/**
 * The reads, writes and messages of one poll and one alert, counted on real tables:
 * the figures that infra/cost/ turns into dollars.
 *
 *   node test/proof/bench/footprint.ts [--quick] [--write]
 *
 * --write stores them in infra/cost/measured.json.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createPipeline, eventId, type Pipeline } from '#test/support/pipeline.ts';
import { startDynaliteTables, type TestTables } from '#test/support/tables.ts';

interface Footprint {
  readUnits: number;
  writeUnits: number;
  calls: number;
}

const nothing: Footprint = { readUnits: 0, writeUnits: 0, calls: 0 };

/** Adds up the capacity that `work` consumes, as DynamoDB reports it. */
async function measure({ client }: TestTables, work: () => Promise<void>): Promise<Footprint> {
  const total = { ...nothing };
  client.middlewareStack.add(
    (next, context) => async (args) => {
      Object.assign(args.input, { ReturnConsumedCapacity: 'TOTAL' });
      const result = await next(args);
      const { ConsumedCapacity } = result.output as {
        ConsumedCapacity?: { CapacityUnits?: number };
      };
      const isRead = /^(Get|Query)/.test(context.commandName ?? '');
      // AWS charges half a unit for a read that finds nothing; the emulator doesn't.
      const units = Math.max(isRead ? 0.5 : 1, ConsumedCapacity?.CapacityUnits ?? 0);
      total[isRead ? 'readUnits' : 'writeUnits'] += units;
      total.calls += 1;
      return result;
    },
    { step: 'initialize', name: 'measure', override: true },
  );
  await work();
  client.middlewareStack.remove('measure');
  return total;
}

function minus(one: Footprint, other: Footprint): Footprint {
  const difference = (name: keyof Footprint) => Number((one[name] - other[name]).toFixed(1));
  return {
    readUnits: difference('readUnits'),
    writeUnits: difference('writeUnits'),
    calls: difference('calls'),
  };
}

function mean(all: readonly Footprint[]): Footprint {
  const sum = (name: keyof Footprint) => all.reduce((total, one) => total + one[name], 0);
  const rounded = (name: keyof Footprint) => Number((sum(name) / all.length).toFixed(1));
  return {
    readUnits: rounded('readUnits'),
    writeUnits: rounded('writeUnits'),
    calls: rounded('calls'),
  };
}

/** Moves the clock to just before the feed's next poll. */
async function passTime({ stores }: TestTables, { clock }: Pipeline): Promise<void> {
  const feed = await stores.feeds.find(eventId, 'stats');
  clock.now = Math.max(clock.now, feed?.nextPollAt ?? 0);
}

/** One schedule slot with nothing due; then polls without new data, with new data, and with an alert. */
async function measurePipeline(tables: TestTables, pipeline: Pipeline, rounds: number) {
  const idle: Footprint[] = [];
  const quiet: Footprint[] = [];
  const news: Footprint[] = [];
  const alert: Footprint[] = [];
  await pipeline.addWatch([{ type: 'level', metric: 'get_in', at_or_below: 80 }]);
  await pipeline.minute(100);
  for (let round = 0; round < rounds; round += 1) {
    idle.push(await measure(tables, async () => void (await pipeline.dispatch())));
    await passTime(tables, pipeline);
    quiet.push(await measure(tables, () => pipeline.minute()));
    await passTime(tables, pipeline);
    news.push(await measure(tables, () => pipeline.minute(100 + round)));
    await passTime(tables, pipeline);
    const before = pipeline.sent.length;
    alert.push(await measure(tables, () => pipeline.minute(70)));
    if (pipeline.sent.length !== before + 1) throw new Error('the alert was not delivered');
    await passTime(tables, pipeline);
    await pipeline.minute(100);
  }
  const tick = mean(idle);
  const poll = mean(quiet);
  const refresh = mean(news);
  return {
    idleTick: tick,
    quietPoll: minus(poll, tick),
    newsPoll: minus(refresh, tick),
    alert: minus(mean(alert), refresh),
  };
}

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const tables = await startDynaliteTables();
const pipeline = await createPipeline(tables.stores);
const footprint = await measurePipeline(tables, pipeline, values.quick ? 5 : 30);
await tables.stop();
console.table(footprint);
if (values.write) {
  const file = new URL('../../../infra/cost/measured.json', import.meta.url);
  writeFileSync(
    file,
    `${JSON.stringify({ by: 'test/proof/bench/footprint.ts', ...footprint }, null, 2)}\n`,
  );
}
console.log(JSON.stringify({ bench: 'footprint', ...footprint }));
