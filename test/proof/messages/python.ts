/** Python programs that check samples: a folder of their own under .venv/, samples in and faults out as JSON. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installProgram } from '#infra/operate/virtual-environment.ts';
import { run } from '../conformance/programs.ts';
import type { Faults } from './check.ts';

const checkMs = 120_000;

/** Python with a package. @returns the interpreter's path, or why there is none */
export function pythonWith(requirement: string): { path: string } | { missing: string } {
  return installProgram({ environment: 'messages', requirement, program: 'python' });
}

/** The interpreter of this machine. */
export async function plainPython(): Promise<{ path: string } | { missing: string }> {
  const { code } = await run('python3', ['--version'], { timeoutMs: checkMs });
  return code === 0 ? { path: 'python3' } : { missing: 'no Python 3' };
}

/** A program that takes the path of a file of samples as its last argument, and prints the faults. */
export interface FaultFinder {
  command: string;
  args: readonly string[];
}

/** A script of this folder. */
export function script(python: string, file: string): FaultFinder {
  return { command: python, args: ['-B', '-W', 'ignore', join(import.meta.dirname, file)] };
}

/** @throws Error with the program's output, if it ends with a fault of its own */
export async function faultsBy(
  { command, args }: FaultFinder,
  samples: ReadonlyMap<string, unknown>,
): Promise<Faults> {
  const folder = mkdtempSync(join(tmpdir(), 'getin-messages-'));
  try {
    const file = join(folder, 'samples.json');
    writeFileSync(file, JSON.stringify(Object.fromEntries(samples)));
    const { code, output } = await run(command, [...args, file], { timeoutMs: checkMs });
    if (code !== 0) throw new Error(`${command} ended with ${code}: ${output.slice(-2_000)}`);
    return new Map(Object.entries(JSON.parse(output) as Record<string, string[]>));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
