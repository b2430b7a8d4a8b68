/** `npm start`: the whole system on this machine, until Ctrl-C. */

import { parametersOf, settingFault } from '../operate/settings.ts';
import { runCommand, untilAborted } from './command.ts';
import { DataFolder } from './data-folder.ts';
import { createApiClient } from './demo/api-client.ts';
import { confirmAddress } from './demo/confirm-address.ts';
import { demoAddress, makeDemoWatchlist } from './demo/demo-watchlist.ts';
import { LocalRunError, messageOf } from './errors.ts';
import {
  commonFlags,
  defaultPort,
  parsePort,
  parseShare,
  parseTickMs,
  readFlags,
} from './flags.ts';
import type { LocalCloud, MarketSource } from './local-cloud.ts';
import { AlertLines } from './terminal/alert-lines.ts';
import { showBanner } from './terminal/banner.ts';
import { createObserver } from './terminal/observer.ts';
import { createScreen, type Screen } from './terminal/screen.ts';

const usage = `npm start -- [flags]

  --port N       first of seven ports: API, marketplace, inbox, webhooks,
                 DynamoDB, SQS, Secrets Manager; 0 for any free (${defaultPort})
  --tick 60s     how long a minute of the schedules takes (10s)
  --fresh        forget what earlier runs kept
  --no-demo      start with an empty watchlist
  --market M     simulator, or none: prices by the operator only (simulator)
  --odd SHARE    share of the simulated events that are odd, 0 to 1 (0)
  --synthetic-event ID
                 the event of the synthetic watch (none)
  --data DIR     where tables, secrets and the market are kept (.data)
  --assembly DIR run a cloud assembly that is synthesized already
  --verbose      show the functions' logs`;

const sources: Record<string, MarketSource> = {
  simulator: {
    kind: 'simulator',
    seed: 1,
    events: 40,
    speed: 1,
    refreshSeconds: 10,
    historyDays: 90,
  },
  none: { kind: 'none' },
};

interface Settings {
  port: number;
  tickMs: number;
  source: MarketSource;
  fresh: boolean;
  demo: boolean;
  verbose: boolean;
  dataFolder: string;
  assemblyFolder: string | undefined;
  parameters: Record<string, string>;
}

await runCommand(async (stopping) => {
  const settings = readSettings(process.argv.slice(2));
  if (!settings) return void process.stdout.write(`${usage}\n`);
  const data = DataFolder.open(settings.dataFolder);
  try {
    if (settings.fresh) data.wipe();
    await run(settings, data, stopping);
  } finally {
    data.close();
  }
});

/** @returns undefined if help was asked for */
function readSettings(args: string[]): Settings | undefined {
  const { values } = readFlags({
    args,
    options: {
      ...commonFlags,
      fresh: { type: 'boolean', default: false },
      'no-demo': { type: 'boolean', default: false },
      market: { type: 'string', default: 'simulator' },
      odd: { type: 'string', default: '0' },
      data: { type: 'string', default: '.data' },
      'synthetic-event': { type: 'string' },
    },
  });
  if (values.help) return undefined;
  const source = Object.hasOwn(sources, values.market) ? sources[values.market] : undefined;
  if (!source) {
    throw new LocalRunError(`--market takes simulator or none, not "${values.market}".`);
  }
  return {
    port: parsePort(values.port),
    tickMs: parseTickMs(values.tick),
    source:
      source.kind === 'simulator' ? { ...source, odd: { share: parseShare(values.odd) } } : source,
    fresh: values.fresh,
    demo: !values['no-demo'] && source.kind === 'simulator',
    verbose: values.verbose,
    dataFolder: values.data,
    assemblyFolder: values.assembly,
    parameters: syntheticParameters(values['synthetic-event'] ?? ''),
  };
}

/** The same setting as of a deployment. */
function syntheticParameters(given: string): Record<string, string> {
  const name = 'synthetic-event';
  const fault = settingFault(name, given, `--${name}`);
  if (fault !== undefined) throw new LocalRunError(fault);
  return parametersOf({ [name]: given });
}

async function run(settings: Settings, data: DataFolder, stopping: AbortSignal): Promise<void> {
  const screen = createScreen(process.stdout);
  const alerts = new AlertLines();
  let ready = false;
  // Only here, so that a wrong flag is refused before the AWS clients are loaded.
  const { startLocalCloud } = await import('./local-cloud.ts');
  const cloud = await startLocalCloud({
    ...settings,
    data,
    observer: createObserver({ screen, alerts, verbose: settings.verbose }),
    onProgress: (line) => {
      if (!ready || settings.verbose) screen.line(`${screen.paint('dim', '·')} ${line}`);
    },
    signal: stopping,
  });
  try {
    const { facts } = cloud;
    alerts.showOn({ screen, api: facts.api, apiKey: facts.api_key });
    // Create them before the first firing, so that the first poll finds them.
    const demoWatches = settings.demo ? await makeDemo(cloud, data, screen) : 0;
    const desk = await createApiClient(facts.api, facts.api_key).createSignInLink();
    const runFacts = { ...facts, desk };
    data.writeRunFacts(runFacts);
    ready = true;
    showBanner(screen, { facts: runFacts, pollSeconds: settings.tickMs / 1000, demoWatches });
    cloud.startTriggers();
    if (demoWatches > 0) await confirmDemo(cloud, { screen, signal: stopping });
    await untilAborted(stopping);
    screen.line('Stopping.');
  } finally {
    await cloud.stop();
  }
}

/** The demo's mail address needs a confirmation too; its alerts wait for it. */
async function confirmDemo(
  { facts }: LocalCloud,
  { screen, signal }: { screen: Screen; signal: AbortSignal },
): Promise<void> {
  try {
    await confirmAddress(facts.inbox, demoAddress, signal);
  } catch (error) {
    if (signal.aborted) return;
    screen.warning(`The demo's address could not be confirmed: ${messageOf(error)}`);
  }
}

/** A failed demo is only reported: the system runs without it. */
async function makeDemo(cloud: LocalCloud, data: DataFolder, screen: Screen): Promise<number> {
  try {
    return await makeDemoWatchlist(cloud, data.file('demo.json'));
  } catch (error) {
    screen.warning(`The demo watchlist could not be made: ${messageOf(error)}`);
    return 0;
  }
}
