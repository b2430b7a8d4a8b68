/**
 * A large deployment over a simulated DynamoDB at AWS's latencies: a run of reconcile with its hourly check of the
 * account, and GET /v1/budget, in a process with a limited heap; then one refresh that reaches every trigger of an event.
 *
 *   node test/proof/bench/scale.ts [--quick]
 */
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { type HotEvent, hotEventSchema, type Measured, measuredSchema } from './scale/figures.ts';

const { values: flags } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const size = flags.quick ? { feeds: 5_000, pulls: 60_000 } : { feeds: 100_000, pulls: 1_000_000 };
const triggers = flags.quick ? 2_000 : 50_000;
/** The last one counts: in the first runs of a process more is compiled and imported. */
const runs = 2;
/** The simulation's own data, some 30 MB, are in this heap too. */
const heapMb = 256;
/** For the items of 50,000 watches and their alerts: the simulation's, not the function's. */
const hotHeapMb = 6_000;
const root = new URL('../../../', import.meta.url);

/**
 * What the code before this bench did, measured by it at sizes that it could bear (commit f17f69d). The run of reconcile
 * over 730,000 pulls also corrected the costs of many lost calls, so its time is left out.
 */
const before = {
  reconcile: {
    'before: 1,000 feeds, 730,000 pulls': { heapMb: 992 },
    'before: 20,000 feeds, 10,000 pulls': { seconds: 21.3, cpuSeconds: 9.4, heapMb: 323 },
  },
  budget: {
    'before: 1,000 feeds, 730,000 pulls': { seconds: 28.1, cpuSeconds: 43.5, heapMb: 825 },
    'before: 20,000 feeds, 10,000 pulls': { seconds: 5.5, cpuSeconds: 8, heapMb: 380 },
  },
};
const aim = { seconds: 20, heapMb: 256 };
/** One evaluator after the other, measured by this bench before an event had shards (commit f9056370). */
const hotBefore = {
  ...{ alerts: 50_000, seconds: 360.7, cpuSeconds: 61.9, requests: 263_638 },
  ...{ requestsPerAlert: 5.27, writeUnits: 500_050, throttled: 0, invocations: 8, atOnce: 1 },
};
const hotAim = { alerts: 50_000, seconds: 60, requestsPerAlert: 5 };

/** @param isNew whether the release is new, so that no closed day has been added up */
async function measure(isNew: boolean): Promise<Measured> {
  const args = [size.feeds, size.pulls, isNew ? 1 : runs, isNew ? 1 : 0];
  return measuredSchema.parse(await lastLineOf('measure.ts', heapMb, args));
}

async function measureHotEvent(): Promise<HotEvent> {
  return hotEventSchema.parse(await lastLineOf('hot-event.ts', hotHeapMb, [triggers]));
}

/** Runs a program of `scale/` in a process of its own. @returns the JSON of its last line */
async function lastLineOf(program: string, limitMb: number, args: readonly number[]) {
  const memory = ['--expose-gc', `--max-old-space-size=${limitMb}`];
  const child = spawn(
    process.execPath,
    [...memory, `test/proof/bench/scale/${program}`, ...args.map(String)],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const code = await new Promise((settle) => child.once('close', settle));
  if (code !== 0) throw new Error(`the measurement ended with ${code}: out of memory?`);
  return JSON.parse(output.trimEnd().split('\n').at(-1) ?? '') as unknown;
}

const measured = await measure(false);
const atFirst = await measure(true);
const failed = [...measured.failed, ...atFirst.failed];
if (failed.length > 0) throw new Error(failed.join('; '));
const label = `${size.feeds.toLocaleString('en')} feeds, ${size.pulls.toLocaleString('en')} pulls`;
const usual = measured.runs.at(-1);
const [first] = atFirst.runs;
const route = measured.budget;
console.table({
  [`reconcile, ${label}`]: usual,
  'its first run after the release, that adds up closed days': first,
  ...before.reconcile,
  [`GET /v1/budget, ${label}`]: route,
  ...Object.fromEntries(
    Object.entries(before.budget).map(([name, row]) => [`budget ${name}`, row]),
  ),
  'the aim, for reconcile at 100,000 feeds and 1,000,000 pulls': aim,
});
const hot = await measureHotEvent();
console.table({
  [`one refresh reaches ${triggers.toLocaleString('en')} triggers of an event`]: hot,
  'before, with one evaluator': hotBefore,
  'the aim': hotAim,
});
const all = { reconcile: usual, first, budget: route, hot };
console.log(JSON.stringify({ bench: 'scale', ...size, triggers, ...all }));
