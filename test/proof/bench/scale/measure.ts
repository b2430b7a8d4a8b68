/**
 * Runs of reconcile, then GET /v1/budget, in a process whose memory is limited as a function's is. Its last line is one
 * line of JSON.
 *
 *   node --max-old-space-size=MB measure.ts FEEDS PULLS RUNS [1]
 *
 * With 1 the release is new, and no closed day has been added up.
 */
import { getHeapStatistics } from 'node:v8';
import { budgetJson } from '#functions/api/budget/budget-json.ts';
import { createReadBudget } from '#functions/api/budget/read-budget.ts';
import { composeReconcile } from '#functions/reconcile/compose-reconcile.ts';
import { encodeEventCounts } from '#shared/dynamo/event-counts.ts';
import { createLedgerSums } from '#shared/dynamo/ledger-sums.ts';
import { createWatchlistTable } from '#shared/dynamo/tables.ts';
import { costliest } from '#shared/polling/assumptions.ts';
import { newMarketState } from '#shared/polling/market-state.ts';
import { ledgerDays } from '#shared/polling/pull.ts';
import { awsLatencies, noLatencies } from '#test/support/simulated-dynamodb/simulated-dynamodb.ts';
import { openSimulatedTables } from '#test/support/simulated-dynamodb/simulated-tables.ts';
import { SimulatedTime } from '#test/support/simulated-dynamodb/simulated-time.ts';
import { stockOf, sumOfDay } from './fleet-stock.ts';
import { modelOfEvent } from './one-event.ts';

const [feeds = 0, pulls = 0, runsWanted = 1, isNew = 0] = process.argv.slice(2).map(Number);
const now = Date.parse('2026-03-31T12:00:00Z');
const periodStart = Date.parse('2026-03-01T12:00:00Z');
const periodEnd = Date.parse('2026-04-01T12:00:00Z');
const caps = { daily: 60_000, monthly: 1_200_000 };
/** A call to the marketplace, and a batch of messages to a queue. */
const marketplaceMs = 300;
const queueMs = 10;

const model = await modelOfEvent(now - 3_600_000);
const time = new SimulatedTime(now);
time.takeTimers();
const size = { feeds, pulls, periodStart, now };
const tables = openSimulatedTables(time, { watchlist: stockOf(size, model) });
const { stores } = tables;
tables.setLatencies(noLatencies);
await stores.budget.current(now);
const spent = { daySpent: Math.floor(pulls / 60), periodSpent: pulls };
const before = await stores.budget.current(now);
await stores.budget.recount(before, { ...spent, period: { start: periodStart, end: periodEnd } });
if (isNew === 0) await addUpClosedDays();
tables.setLatencies(awsLatencies);

const operatorSecret = JSON.stringify({ url: '', secret: 'a'.repeat(32) });
const failed: string[] = [];
const send = async () => time.sleep(queueMs);
const reconcile = composeReconcile({
  syntheticEvent: undefined,
  stores,
  senders: new Proxy({}, { get: () => send }) as never,
  ...{ sendNudges: send, sendJobs: send, caps, assumptions: costliest },
  operator: { email: '', readWebhook: async () => operatorSecret },
  onNoticeSent: () => {},
  onStepFailed: (step, error) => void failed.push(`${step}: ${String(error)}`),
  readMarketplace: async () => marketplace as never,
  now: time.now,
});
const readBudget = createReadBudget({ stores, pullCaps: caps, assumptions: costliest });

/** The account as it is while nobody else uses the key; it has no daily catalog. */
const marketplace = {
  account: () => answer({ rate_limits: {}, plans: [{ id: 'tiered', status: 'active' }] }),
  usage: () =>
    answer({
      period_start: new Date(periodStart).toISOString(),
      period_end: new Date(periodEnd).toISOString(),
      totals: { stats_pulls: pulls, listings_pulls: 0, salesdata_pulls: 0 },
    }),
  searchPage: () => answer([]),
};

async function answer(data: unknown) {
  await time.sleep(marketplaceMs);
  return { data };
}

/** One invocation: its time, what of it was waiting and computing, its memory, and its requests. */
async function measured(work: () => Promise<unknown>) {
  tables.reset();
  globalThis.gc?.();
  let peak = 0;
  const look = () => {
    peak = Math.max(peak, getHeapStatistics().used_heap_size);
  };
  tables.setOnAnswer(look);
  const from = { elapsed: time.elapsedMs, waited: time.waitedMs, free: time.freeMs };
  const cpu = process.cpuUsage();
  await work();
  look();
  const { user, system } = process.cpuUsage(cpu);
  const { requests, readUnits, writeUnits, throttled } = tables.counts();
  return {
    seconds: round((time.elapsedMs - from.elapsed) / 1_000),
    waitedSeconds: round((time.waitedMs - from.waited) / 1_000),
    cpuSeconds: round((user + system) / 1e6 - (time.freeMs - from.free) / 1_000),
    heapMb: Math.round(peak / 1_048_576),
    ...{ requests, readUnits: Math.round(readUnits), writeUnits, throttled },
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** As reconcile did on each of the days before. */
async function addUpClosedDays(): Promise<void> {
  const sums = createLedgerSums(createWatchlistTable(tables.client, tables.names.WATCHLIST_TABLE));
  for (const day of ledgerDays(periodStart, now).slice(0, -1)) {
    const { sums: counted, byEvent } = sumOfDay(size, day);
    await sums.store(undefined, counted, { events: encodeEventCounts(byEvent), now });
  }
}

async function makeAccountDue(): Promise<void> {
  await stores.marketState.change((state) => ({
    ...newMarketState,
    ...state,
    accountReadAt: 0,
    csvReadAt: time.now(),
  }));
}

const runs: object[] = [];
for (let round = 0; round < runsWanted; round += 1) {
  await makeAccountDue();
  const run = await measured(reconcile);
  runs.push(run);
  console.error(`reconcile ${JSON.stringify(run)}`);
  await time.sleep(5 * 60_000);
}
const readOnce = async () => JSON.stringify(budgetJson(await readBudget(time.now())));
const budget = isNew === 0 ? await measured(readOnce) : undefined;
console.log(JSON.stringify({ runs, budget, failed }));
process.exit(0);
