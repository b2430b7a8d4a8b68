/**
 * `npm run replay -- FILE --speed N`: replays recorded prices through the whole system, on a
 * temporary cloud, until the last alert is sent.
 */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { timeLeft } from '#marketplace/progress.ts';
import { runCommand } from './command.ts';
import { DataFolder } from './data-folder.ts';
import { confirmAddress } from './demo/confirm-address.ts';
import { LocalRunError, StandstillError } from './errors.ts';
import { commonFlags, parsePort, parsePositive, parseTickMs, readFlags } from './flags.ts';
import type { LocalCloud } from './local-cloud.ts';
import { replayAddress, watchRecordedEvents } from './replay/recorded-events.ts';
import { stuckAfterMs, untilDrained } from './replay/until-drained.ts';
import { AlertLines, type Tally } from './terminal/alert-lines.ts';
import { createObserver } from './terminal/observer.ts';
import { createScreen, type Screen } from './terminal/screen.ts';

const usage = `npm run replay -- FILE [flags]

  FILE           a CSV of recorded prices, a row per event, day and zone
  --speed N      recorded seconds per real second (8640: a day in 10 s)
  --tick 5s      how long a minute of the schedules takes
  --port N       first of seven ports; 0 for any free (0)
  --assembly DIR run a cloud assembly that is synthesized already
  --verbose      show the functions' logs`;

const daySeconds = 86_400;
/** A day in a tenth of a second; at a higher speed, starting takes most of the time. */
const mostSpeed = 1_000_000;
/** Replay at the recording's pace, without the service's rate limits. */
const unlimited = { limit: 1_000_000, window_seconds: 60 };

const usageSchema = z.object({ totals: z.object({ stats_pulls: z.number() }) });

interface Settings {
  file: string;
  speed: number;
  tickMs: number;
  port: number;
  verbose: boolean;
  assemblyFolder: string | undefined;
}

await runCommand(async (stopping) => {
  const settings = readSettings(process.argv.slice(2));
  if (!settings) return void process.stdout.write(`${usage}\n`);
  const folder = mkdtempSync(join(tmpdir(), 'getin-replay-'));
  const data = DataFolder.open(folder);
  try {
    await replay(settings, data, stopping);
  } finally {
    data.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

/** @returns undefined if help was asked for */
function readSettings(args: string[]): Settings | undefined {
  const { values, positionals } = readFlags({
    args,
    allowPositionals: true,
    options: {
      ...commonFlags,
      port: { type: 'string', default: '0' },
      tick: { type: 'string', default: '5s' },
      speed: { type: 'string', default: '8640' },
    },
  });
  if (values.help) return undefined;
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) {
    throw new LocalRunError('Give one file: npm run replay -- FILE --speed N. See --help.');
  }
  if (!existsSync(file) || !statSync(file).isFile()) {
    throw new LocalRunError(`There is no file ${file}.`);
  }
  return {
    file,
    speed: parsePositive('speed', values.speed, mostSpeed),
    tickMs: parseTickMs(values.tick),
    port: parsePort(values.port),
    verbose: values.verbose,
    assemblyFolder: values.assembly,
  };
}

async function replay(settings: Settings, data: DataFolder, stopping: AbortSignal): Promise<void> {
  const { file, speed, tickMs, port, verbose, assemblyFolder } = settings;
  const screen = createScreen(process.stdout);
  const alerts = new AlertLines();
  // Only here, so that a wrong flag is refused before the AWS clients are loaded.
  const { startLocalCloud } = await import('./local-cloud.ts');
  const cloud = await startLocalCloud({
    data,
    port,
    tickMs,
    assemblyFolder,
    source: { kind: 'replay', file, speed },
    rateLimits: { events_search: unlimited, events_stats: unlimited },
    observer: createObserver({ screen, alerts, verbose }),
    onProgress: (line) => showProgress(screen, line, alerts.tally),
    signal: stopping,
  });
  try {
    await playThrough(cloud, { settings, screen, tally: alerts.tally, stopping });
  } finally {
    await cloud.stop();
  }
}

interface Play {
  settings: Settings;
  screen: Screen;
  tally: Tally;
  stopping: AbortSignal;
}

async function playThrough(cloud: LocalCloud, play: Play): Promise<void> {
  const { settings, screen, tally, stopping } = play;
  const { stack, marketplace, facts } = cloud;
  screen.line(`· Inbox ${facts.inbox}, webhooks ${facts.webhooks}`);
  const eventIds = await watchRecordedEvents(cloud, {
    daySeconds: daySeconds / settings.speed,
    signal: stopping,
    onProgress: ({ watches, events, tookMs }) => {
      if (watches % 200 >= 8) return;
      const left = timeLeft({ done: watches, all: events, tookMs });
      screen.line(`· ${watches} of ${events} events watched${left}`);
    },
  });
  if (eventIds.length === 0) throw new LocalRunError(`${settings.file} holds no usable line.`);

  // Later prices are compared with the first day, so poll it before they arrive.
  const startedAt = Date.now();
  stack.startTriggers();
  await confirmAddress(facts.inbox, replayAddress, stopping);
  const drain = {
    stack,
    tally,
    eventIds,
    signal: stopping,
    onWait: tellWaiting(screen, tally, eventIds.length),
  };
  await untilDrained({ ...drain, since: () => startedAt });
  marketplace.begin();
  const { snapshots, skippedLines, handedInAt } = await Promise.race([
    marketplace.finished,
    aborted(stopping),
  ]);
  screen.line('· The recording is over; waiting for the last polls and deliveries');
  const overAt = Date.now();
  const since = (eventId: number) => handedInAt?.get(eventId) ?? overAt;
  const { unpolled, isStuck } = await untilDrained({ ...drain, since });
  showSummary(screen, {
    'events watched': eventIds.length,
    'snapshots ingested': snapshots,
    'snapshots polled and stored': tally.snapshotsStored,
    'pulls charged': await pullsCharged(cloud),
    'alerts sent': tally.alerts,
    'emails and webhooks delivered': tally.delivered,
    'deliveries failed': tally.deliveriesFailed,
    'lines skipped': skippedLines,
    'events with snapshots left unpolled': unpolled,
  });
  if (isStuck) {
    throw new StandstillError(
      `The replay is stuck: nothing has changed for ${stuckAfterMs / 60_000} minutes, and ${unpolled} events were not polled to their end.`,
    );
  }
}

function tellWaiting(screen: Screen, tally: Tally, all: number) {
  return (pending: number, waitedMs: number): void => {
    const left = timeLeft({ done: all - pending, all, tookMs: waitedMs });
    screen.line(
      `· ${pending} events still to be polled; ${tally.pulls} pulls, ${tally.alerts} alerts${left}`,
    );
  };
}

function showProgress(screen: Screen, line: string, { pulls, alerts }: Tally): void {
  const soFar = line.startsWith('replay: day') ? `, ${pulls} pulls, ${alerts} alerts` : '';
  screen.line(`· ${line}${soFar}`);
}

function showSummary(screen: Screen, figures: Record<string, number>): void {
  screen.line();
  for (const [name, figure] of Object.entries(figures)) {
    screen.line(`${figure.toLocaleString('en-US').padStart(9)}  ${name}`);
  }
}

/** From the marketplace's ledger, not ours. */
async function pullsCharged({ marketplace }: LocalCloud): Promise<number> {
  const response = await fetch(`${marketplace.url}/v1/usage`, {
    headers: { authorization: `Bearer ${marketplace.keys.main}` },
  });
  return usageSchema.parse(await response.json()).totals.stats_pulls;
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
