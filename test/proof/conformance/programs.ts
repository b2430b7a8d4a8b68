/** Runs programs in other languages for the conformance checks, each with its own time limit. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../../..');
/** Environments and downloads; git ignores the folder. */
export const cache = join(root, '.venv');

const installMs = 180_000;

export interface Finished {
  /** Null when the program could not be started or was stopped. */
  code: number | null;
  output: string;
}

export interface RunOptions {
  timeoutMs: number;
  /** Output goes to the terminal. */
  show?: boolean;
  cwd?: string;
  env?: Record<string, string>;
}

/** Runs a program to its end or its deadline. */
export function run(command: string, args: string[], o: RunOptions): Promise<Finished> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      ...{ cwd: o.cwd ?? root, stdio: o.show ? 'inherit' : 'pipe', timeout: o.timeoutMs },
      env: { ...process.env, ...o.env },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        output += chunk;
      });
    }
    child.on('error', (error) => resolve({ code: null, output: String(error) }));
    child.on('close', (code) => resolve({ code, output }));
  });
}

/** Makes a virtual environment once and installs into it. @returns false, with a printed reason, if it can't. */
export async function installPython(o: {
  /** The check that is skipped without it. */
  subject: string;
  environment: string;
  args: string[];
}): Promise<boolean> {
  const python = join(o.environment, 'bin/python');
  if (!existsSync(python)) {
    const made = await run('python3', ['-m', 'venv', o.environment], { timeoutMs: installMs });
    if (made.code !== 0) {
      console.log(`conformance: ${o.subject} skipped, no Python 3 with venv\n${made.output}`);
      return false;
    }
  }
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--retries', '1'];
  const installed = await run(python, [...pip, ...o.args], { timeoutMs: installMs });
  if (installed.code === 0) return true;
  console.error(installed.output.trim());
  console.log(`conformance: ${o.subject} skipped, no package index`);
  return false;
}
