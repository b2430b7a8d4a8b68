/**
 * The needs of each function: peak memory, processor time and calls of its own bundle under its typical
 * work, each in its own processes, driven by the local run; and, computed from these, the duration and
 * cost of an invocation on Lambda at four memory sizes, and the size that the rule chooses.
 *
 *   node test/proof/bench/memory.ts [--quick] [--write] [--alone] [--assembly DIR]
 *
 * --write stores the figures in infra/cost/measured-functions.json. --alone hands the workers their messages one by
 * one; with --write it stores only what a message costs then, beside the figures of batches.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { assumed } from '#infra/cost/assumed.ts';
import { chooseSize, sizesMb, sizeWork } from '#infra/cost/sizing.ts';
import { synthesize } from '#infra/local/assembly/synthesize.ts';
import { DataFolder } from '#infra/local/data-folder.ts';
import { startLocalCloud } from '#infra/local/local-cloud.ts';
import { median, quantile } from '#test/support/quantile.ts';
import {
  type Invocation,
  ProcessEnvironment,
  type Recorder,
} from './memory/process-environment.ts';
import { runWorkload } from './memory/workload.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const cost = new URL('../../../infra/cost/', import.meta.url);
const prices = JSON.parse(readFileSync(new URL('prices-2026-11.json', cost), 'utf8'));

interface Figures {
  invocations: number;
  units: number;
  initCpuMs: number;
  /** Per invocation. */
  cpuMs: number;
  cpuMsP95: number;
  awsCalls: number;
  waitMs: number;
  peakRssMb: number;
  heapMb: number;
  /** Per message, tick or request. */
  unitCpuMs: number;
  unitWaitMs: number;
}

async function bundleProcess(folder: string): Promise<string> {
  const outfile = join(folder, 'function-process.mjs');
  const entryPoints = [join(root, 'test/proof/bench/memory/function-process.ts')];
  await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm' });
  return outfile;
}

/** Function name → measurements of its processes. */
class Ledger implements Recorder {
  readonly initCpuMs = new Map<string, number[]>();
  readonly invocations = new Map<string, Invocation[]>();

  loaded(name: string, initCpuMs: number): void {
    this.initCpuMs.set(name, [...(this.initCpuMs.get(name) ?? []), initCpuMs]);
  }

  invoked(name: string, invocation: Invocation): void {
    this.invocations.set(name, [...(this.invocations.get(name) ?? []), invocation]);
  }
}

function figuresOf(invocations: readonly Invocation[], initCpuMs: readonly number[]): Figures {
  const of = (read: (one: Invocation) => number) => invocations.map(read);
  const waitOf = (one: Invocation) =>
    one.awsInTurn * assumed.callMs + one.outboundInTurn * assumed.outboundMs;
  const units = sum(of(({ units }) => units));
  return {
    invocations: invocations.length,
    units,
    initCpuMs: round(median(initCpuMs)),
    cpuMs: round(mean(of(({ cpuMs }) => cpuMs))),
    cpuMsP95: round(
      quantile(
        of(({ cpuMs }) => cpuMs),
        0.95,
      ),
    ),
    awsCalls: round(mean(of(({ awsCalls }) => awsCalls))),
    waitMs: round(mean(of(waitOf))),
    peakRssMb: round(Math.max(...of(({ peakRssMb }) => peakRssMb))),
    heapMb: round(Math.max(...of(({ heapMb }) => heapMb))),
    unitCpuMs: round(sum(of(({ cpuMs }) => cpuMs)) / units),
    unitWaitMs: round(sum(of(waitOf)) / units),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, one) => total + one, 0);
}

function mean(values: readonly number[]): number {
  return sum(values) / Math.max(1, values.length);
}

function round(value: number): number {
  return Number(value.toFixed(1));
}

async function measure(folder: string, quick: boolean, assemblyFolder: string | undefined) {
  const script = await bundleProcess(folder);
  const record = new Ledger();
  const data = DataFolder.open(join(folder, 'data'));
  const troubles = new Set<string>();
  const cloud = await startLocalCloud({
    data,
    port: 0,
    source: { kind: 'simulator', seed: 1, events: 40, speed: 1, refreshSeconds: 10 },
    tickMs: 5_000,
    ...(assemblyFolder !== undefined && { assemblyFolder }),
    observer: {
      logLine: () => {},
      functionFailed: (label, { errorMessage }) => troubles.add(`${label}: ${errorMessage}`),
      trouble: (line) => troubles.add(line),
    },
    startEnvironment: (options) => new ProcessEnvironment(script, options, record),
  });
  try {
    await runWorkload(cloud, quick ? { events: 8, seconds: 15 } : { events: 30, seconds: 90 });
    return { functions: byFunction(cloud.stack.functionNames, record), troubles };
  } finally {
    await cloud.stop();
    data.close();
  }
}

/** Functions that the load doesn't use: infra/README.md, Memory. */
const unmeasured = new Set(['chart', 'console', 'jobs']);

function byFunction(names: ReadonlyMap<string, string>, record: Ledger) {
  const measured = [...names].filter(([label]) => !unmeasured.has(label));
  const figures = measured.map(([label, name]) => {
    const invocations = record.invocations.get(name) ?? [];
    if (invocations.length === 0) throw new Error(`${label} was never invoked`);
    return [label, figuresOf(invocations, record.initCpuMs.get(name) ?? [])] as const;
  });
  return Object.fromEntries(figures);
}

function show(functions: Readonly<Record<string, Figures>>): void {
  console.table(functions);
  const rows = Object.entries(functions).map(([name, figures]) => {
    const sized = sizesMb.map((memoryMb) => sizeWork(figures, memoryMb, prices));
    const cells = sized.map(({ memoryMb, durationMs, dollarsPerMillion }) => [
      `${memoryMb} MB`,
      `${Math.round(durationMs)} ms, $${dollarsPerMillion.toFixed(2)}`,
    ]);
    return [name, { ...Object.fromEntries(cells), chosen: chooseSize(figures) }];
  });
  console.log('An invocation, and the dollars that a million of them cost:');
  console.table(Object.fromEntries(rows));
}

/** An assembly whose event sources hand over one message at a time. */
async function assemblyOfSingles(folder: string): Promise<string> {
  const outputFolder = join(folder, 'singles');
  await synthesize({ outputFolder });
  for (const name of readdirSync(outputFolder)) {
    if (!name.endsWith('.template.json')) continue;
    const file = join(outputFolder, name);
    const template = readFileSync(file, 'utf8').replaceAll(/"BatchSize": *\d+/g, '"BatchSize":1');
    writeFileSync(file, template);
  }
  return outputFolder;
}

type Stored = { functions: Record<string, Figures & Partial<Record<AloneField, number>>> };
type AloneField = 'aloneCpuMs' | 'aloneWaitMs';

/** The figures to store: of batches, which keep what is known of single messages, or of single messages alone. */
function figuresToStore(functions: Readonly<Record<string, Figures>>, isAlone: boolean) {
  const before: Stored = JSON.parse(readFileSync(storedFile, 'utf8'));
  const names = Object.keys(functions);
  const stored = names.map((name) => {
    const { unitCpuMs: aloneCpuMs, unitWaitMs: aloneWaitMs } = functions[name] as Figures;
    const known = before.functions[name];
    // Of ticks and requests there are no batches.
    if (isAlone && known?.units === known?.invocations) return [name, known];
    if (isAlone) return [name, { ...known, aloneCpuMs, aloneWaitMs }];
    const alone = known && { aloneCpuMs: known.aloneCpuMs, aloneWaitMs: known.aloneWaitMs };
    return [name, { ...functions[name], ...alone }];
  });
  return Object.fromEntries(stored);
}

const storedFile = new URL('measured-functions.json', cost);
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    alone: { type: 'boolean', default: false },
    assembly: { type: 'string' },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'getin-memory-'));
try {
  const assembly = values.alone ? await assemblyOfSingles(folder) : values.assembly;
  const { functions, troubles } = await measure(folder, values.quick, assembly);
  for (const trouble of troubles) console.log(`trouble: ${trouble}`);
  show(functions);
  if (values.write) {
    const stored = figuresToStore(functions, values.alone);
    const by = 'test/proof/bench/memory.ts';
    const text = JSON.stringify({ by, node: process.version, functions: stored }, null, 2);
    writeFileSync(storedFile, `${text}\n`);
  }
  const chosen = Object.entries(functions).map(([name, one]) => [name, chooseSize(one)]);
  console.log(
    JSON.stringify({
      bench: 'memory',
      node: process.version,
      functions,
      chosen: Object.fromEntries(chosen),
    }),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
