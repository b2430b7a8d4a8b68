/** `npm run delays`: how long alerts take from the market's refresh to their receipt, step by step. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { runCommand } from '#infra/local/command.ts';
import { alertsPerRefresh, startLoadedCloud } from '#test/proof/soak/loaded-cloud.ts';
import { readSettings, type Settings, usage } from './settings.ts';
import { delaysOf, type StepDelay } from './steps.ts';
import { TraceLog } from './trace.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** At the end, running work gets two schedule slots and this much more time. */
const drainingMs = 60_000;

await runCommand(async (stopping) => {
  const settings = readSettings(process.argv.slice(2));
  if (!settings) return say(usage);
  const folder = mkdtempSync(join(tmpdir(), 'getin-delay-'));
  let isWhole = false;
  try {
    isWhole = await measure(settings, folder, stopping);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (!isWhole) process.exit(1);
});

/** @returns whether every expected alert could be followed from end to end */
async function measure(
  { plan, seconds }: Settings,
  folder: string,
  signal: AbortSignal,
): Promise<boolean> {
  const log = new TraceLog();
  const listener = {
    onLog: log.read.bind(log),
    onReceipt: ({ alertId, receivedAt }: { alertId: string; receivedAt: number }) =>
      log.receive(alertId, receivedAt),
    onTrouble: (line: string) => say(`! ${line}`),
    onProgress: (line: string) => say(`· ${line}`),
  };
  const { cloud, market, everyMs, stop } = await startLoadedCloud(plan, folder, listener, signal);
  let planned = 0;
  const since = Date.now();
  try {
    say(`· Prices move for ${seconds} seconds`);
    const refreshes = await market.swing({ everyMs, forMs: seconds * 1_000 }, signal);
    planned = refreshes * alertsPerRefresh(plan);
    const giveUpAt = performance.now() + drainingMs + 2 * plan.tickMs;
    while (log.received < planned && performance.now() < giveUpAt) {
      await wait(250, undefined, { signal });
    }
    await cloud.emptyInbox();
  } finally {
    await stop();
  }
  const traces = log.traces(since);
  const delays = delaysOf(traces);
  show(delays);
  say(
    `${traces.length} of ${planned} alerts followed; a minute of the schedules: ${plan.tickMs} ms`,
  );
  say(JSON.stringify({ alerts: planned, followed: traces.length, tickMs: plan.tickMs, delays }));
  return traces.length === planned;
}

function show(delays: readonly StepDelay[]): void {
  say('');
  say(`${'milliseconds'.padEnd(32)}${'p50'.padStart(8)}${'p95'.padStart(8)}${'p99'.padStart(8)}`);
  for (const { step, ...percentiles } of delays) {
    const cells = Object.values(percentiles).map((ms) => String(ms).padStart(8));
    say(`${step.padEnd(32)}${cells.join('')}`);
  }
  say('');
}
