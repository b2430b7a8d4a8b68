/**
 * The delay that a slow receiver's backlog adds for another owner: the time from an alert to its arrival at a fast
 * receiver, alone, beside the backlog, and beside it in a plain queue without groups and slots.
 *
 *   node test/proof/bench/fairness.ts [--quick]
 *
 * Time is virtual, so nothing is scaled: the slow receiver takes 8 s for each of its 240 alerts, and the
 * run takes as long as the tables' work. --quick leaves out the plain queue.
 */
import { parseArgs } from 'node:util';
import { configFor } from '#infra/config.ts';
import { runTwoReceivers, type TwoReceiversResult } from '#test/support/slow-receiver.ts';
import { startDynaliteTables } from '#test/support/tables.ts';

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const { maxConcurrency, batchSize } = configFor('dev').sendWebhook;
const quickAlerts = values.quick ? 40 : 200;
const usual = {
  ...{ slowAlerts: 240, slowMs: 8_000, quickAlerts, quickEveryMs: 500 },
  sender: { maxConcurrency, batchSize },
};

async function runOnce(also: { slowAlerts?: number; isFair?: boolean }) {
  const tables = await startDynaliteTables();
  try {
    return await runTwoReceivers(tables, { ...usual, ...also });
  } finally {
    await tables.stop();
  }
}

const alone = await runOnce({ slowAlerts: 0 });
const beside = await runOnce({});
const plain = values.quick ? undefined : await runOnce({ isFair: false });

const row = (name: string, result: TwoReceiversResult) => ({
  run: name,
  'quick p50 ms': result.quickP50Ms,
  'quick p95 ms': result.quickP95Ms,
  'slow: posts': result.slowPosts,
  'slow: last after s': result.slowLastMs / 1_000,
  'slow: at once, at first': result.slowAtOnceAtFirst,
  'slow: at once, later': result.slowAtOnce,
});
console.table([
  row('alone', alone),
  row('beside 240 alerts of 8 s', beside),
  ...(plain ? [row('the same in a plain queue', plain)] : []),
]);
console.log(
  JSON.stringify({
    bench: 'fairness',
    aloneP95Ms: alone.quickP95Ms,
    besideP95Ms: beside.quickP95Ms,
    ratio: Number((beside.quickP95Ms / alone.quickP95Ms).toFixed(2)),
    ...(plain && { plainP95Ms: plain.quickP95Ms }),
    slowLastMs: beside.slowLastMs,
    slowPosts: beside.slowPosts,
    slowAlerts: beside.slowArrived,
  }),
);
