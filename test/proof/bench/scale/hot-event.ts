/**
 * One refresh that reaches every trigger of an event, from the nudge until all alerts are raised. Its last line is one
 * line of JSON.
 *
 *   node hot-event.ts TRIGGERS
 */

import { startMs } from '#test/support/api.ts';
import { awsLatencies } from '#test/support/simulated-dynamodb/simulated-dynamodb.ts';
import { openSimulatedTables } from '#test/support/simulated-dynamodb/simulated-tables.ts';
import { SimulatedTime } from '#test/support/simulated-dynamodb/simulated-time.ts';
import { runEvaluators } from './evaluators.ts';
import type { HotEvent } from './figures.ts';
import { refresh, stockHotEvent } from './hot-stock.ts';

const [count = 0] = process.argv.slice(2).map(Number);
const time = new SimulatedTime(startMs + 60_000);
time.takeTimers();
const tables = openSimulatedTables(time);
const eventId = await stockHotEvent(tables, count, startMs);
const feed = { eventId, kind: 'stats' } as const;
await runEvaluators(time, tables, feed);
const at = time.now();
await refresh(tables, eventId, at);
await tables.stores.evaluations.markBehind(feed, at);
tables.setLatencies(awsLatencies);
tables.reset();
globalThis.gc?.();
const from = { elapsed: time.elapsedMs, free: time.freeMs };
const cpu = process.cpuUsage();
const { alerts, invocations, atOnce, failed } = await runEvaluators(time, tables, feed);
const { user, system } = process.cpuUsage(cpu);
const { requests, writeUnits, throttled } = tables.counts();
if (failed.length > 0) throw new Error([...new Set(failed)].join('; '));
if (alerts !== count) throw new Error(`${alerts} of ${count} alerts were raised`);
const rounded = (value: number, parts: number) => Math.round(value * parts) / parts;
const end: HotEvent = {
  alerts,
  seconds: rounded((time.elapsedMs - from.elapsed) / 1_000, 10),
  cpuSeconds: rounded((user + system) / 1e6 - (time.freeMs - from.free) / 1_000, 10),
  ...{ requests, requestsPerAlert: rounded(requests / alerts, 100) },
  ...{ writeUnits, throttled, invocations, atOnce },
};
console.log(JSON.stringify(end));
process.exit(0);
