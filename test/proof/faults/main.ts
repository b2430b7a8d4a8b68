// `npm run faults`: seeded runs of the whole system with faults in every part.
// Exit code 1 when anything was lost, doubled or charged twice; 2 for an invalid flag.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalRunError } from '#infra/local/errors.ts';
import { readFlags } from '#infra/local/flags.ts';
import { prepareAssembly } from './assembly.ts';
import { addUp, type Outcome, runLines, totalLines } from './report.ts';
import type { RunOptions } from './run-seed.ts';

const usage = `npm run faults -- [flags]

  --runs N       how many runs, of seeds 1 to N (5)
  --from N       the first seed (1)
  --seed N       this seed alone
  --at-once N    how many runs at a time (1); one takes a processor and a half
  --timers N     how many times as fast as time the functions' own timers run (4); 1 on a machine that
                 is busy with other work, where answers would come too late
  --assembly DIR run a cloud assembly that is synthesized already
  --keep         keep every run's data and logs, not only the failing ones'`;

const mostSeed = 999_999_999;

interface Settings {
  seeds: number[];
  atOnce: number;
  timers: number;
  assembly: string | undefined;
  keep: boolean;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** @returns undefined if help was asked for @throws LocalRunError that names the invalid flag */
function readSettings(args: string[]): Settings | undefined {
  const { values } = readFlags({
    args,
    options: {
      runs: { type: 'string', default: '5' },
      from: { type: 'string', default: '1' },
      seed: { type: 'string' },
      'at-once': { type: 'string', default: '1' },
      timers: { type: 'string', default: '4' },
      assembly: { type: 'string' },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const { assembly, keep } = values;
  return {
    seeds: seedsOf(values),
    atOnce: parseCount('at-once', values['at-once'], 64),
    timers: parseCount('timers', values.timers, 1_000),
    assembly,
    keep,
  };
}

function seedsOf({ seed, from, runs }: { seed?: string; from: string; runs: string }): number[] {
  if (seed !== undefined) return [parseCount('seed', seed, mostSeed)];
  const first = parseCount('from', from, mostSeed);
  return Array.from({ length: parseCount('runs', runs, 10_000) }, (_, index) => first + index);
}

function parseCount(flag: string, given: string, most: number): number {
  if (/^[1-9]\d{0,8}$/.test(given) && Number(given) <= most) return Number(given);
  throw new LocalRunError(`--${flag} takes a whole number from 1 to ${most}, not "${given}".`);
}

async function runOne(options: RunOptions): Promise<Outcome> {
  const { seed } = options;
  try {
    // Only here, so that an invalid flag is refused before the AWS clients are loaded.
    const { runSeed } = await import('./run-seed.ts');
    return await runSeed(options);
  } catch (error) {
    return { seed, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** @returns the exit code */
async function run({ seeds, atOnce, timers, assembly, keep }: Settings): Promise<number> {
  const startedAt = performance.now();
  const root = mkdtempSync(join(tmpdir(), 'getin-faults-'));
  const forget = (): void => rmSync(root, { recursive: true, force: true });
  say(assembly === undefined ? 'Synthesizing the stack' : 'Copying the assembly');
  const assemblyFolder = await prepareAssembly(root, assembly).catch((error) => {
    forget();
    throw error;
  });
  const outcomes: Outcome[] = [];
  const judge = async (seed: number): Promise<void> => {
    const folder = join(root, `seed-${seed}`);
    const outcome = await runOne({ seed, folder, assemblyFolder, timers });
    outcomes.push(outcome);
    for (const line of runLines(outcome, folder)) say(line);
    const isFine = 'violations' in outcome && outcome.violations.length === 0;
    if (isFine && !keep) rmSync(folder, { recursive: true, force: true });
  };
  const left = seeds.values();
  const takeSeeds = async (): Promise<void> => {
    for (const seed of left) await judge(seed);
  };
  await Promise.all(Array.from({ length: atOnce }, takeSeeds));
  const totals = addUp(outcomes);
  if (totals.failed === 0 && !keep) forget();
  for (const line of totalLines(totals)) say(line);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  say(`\n${JSON.stringify({ program: 'faults', ...totals, seconds })}`);
  return totals.failed === 0 ? 0 : 1;
}

try {
  const settings = readSettings(process.argv.slice(2));
  if (!settings) say(usage);
  process.exit(settings ? await run(settings) : 0);
} catch (error) {
  if (!(error instanceof LocalRunError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(2);
}
