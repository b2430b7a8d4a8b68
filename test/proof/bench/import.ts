/**
 * The import of a large file by the worker of jobs: rows a second when each request to DynamoDB takes as long as in AWS.
 * The answers of the tables are recorded once and given again after that time (test/support/replayed-tables.ts).
 *
 *   node test/proof/bench/import.ts [--quick]
 */
import { parseArgs } from 'node:util';
import { composeJobs } from '#functions/jobs/compose-jobs.ts';
import * as everyStore from '#shared/dynamo/store-list.ts';
import { openStores, type Stores } from '#shared/dynamo/stores.ts';
import { gatherReads } from '#shared/lambda/gathered-reads.ts';
import { startApi } from '#test/support/api.ts';
import { jobDepsOf } from '#test/support/jobs.ts';
import { createReplay } from '#test/support/replayed-tables.ts';

const { values: flags } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const rows = flags.quick ? 1_000 : 10_000;

const api = await startApi({ requestLimit: { requests: 1e9, windowSeconds: 60 } });
const defaults = { channels: [api.ann.channelId], latency_seconds: 3_600 };
await api.call('/v1/defaults', {
  ...{ method: 'PATCH', body: defaults, headers: { 'if-match': '*' } },
});
for (let n = 1; n <= rows; n += 1) {
  await api.stores.eventFacts.keep({ eventId: n, name: `Knicks, game ${n}`, updatedAt: 1 });
}
const lines = Array.from({ length: rows }, (_, index) => `${index + 1},${50 + (index % 100)}`);
const accepting = process.cpuUsage();
const { status, body } = await api.call('/v1/watchlist/import', {
  body: ['event_id,at_or_below', ...lines].join('\n'),
  headers: { 'content-type': 'text/csv' },
});
if (status !== 202) throw new Error(`the file is answered with ${status}`);
const acceptCpuMs = cpuSince(accepting);

/** Carries the whole job out in one run. */
async function carryOut(stores: Stores): Promise<void> {
  const runJob = composeJobs(jobDepsOf(api, { stores, sendNudges: async () => {} }));
  const clock = { now: () => api.clock.now, remainingMs: () => 60_000 };
  const { outcome } = await runJob({ jobId: body.id }, 'a run', clock);
  if (outcome !== 'over') throw new Error(`the run is ${outcome}`);
}

const replay = createReplay();
await carryOut(openStores(replay.recording(api.client), api.names, everyStore));
const job = await api.stores.jobs.find(body.id);
if (job?.counts.created !== rows) throw new Error(`the job made ${JSON.stringify(job?.counts)}`);

replay.rewind();
const stores = openStores(gatherReads(replay.replaying(api.client)), api.names, everyStore);
const [from, cpu] = [performance.now(), process.cpuUsage()];
await carryOut(stores);
const seconds = (performance.now() - from) / 1_000;
const cpuMs = cpuSince(cpu);
await api.stop();

const figures = {
  ...{ rows, rows_per_second: Math.round(rows / seconds), seconds: Number(seconds.toFixed(1)) },
  requests_per_row: Number((replay.counted.requests / rows).toFixed(1)),
  cpu_ms_per_row: Number((cpuMs / rows).toFixed(2)),
  accept_cpu_ms: acceptCpuMs,
};
console.table({ [`an import of ${rows} rows`]: figures });
console.log(JSON.stringify({ bench: 'import', ...figures }));

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return Math.round((user + system) / 1_000);
}
