/** Runs one of the local commands as a person would, and records its output. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

export interface Command {
  output(): string;
  errors(): string;
  interrupt(): void;
  /** For a test that failed halfway. */
  kill(): void;
  /** Resolves to the exit code. */
  ended: Promise<number | null>;
}

export function runCommandFile(file: string, args: string[], env: NodeJS.ProcessEnv = {}): Command {
  const child = spawn(process.execPath, [`${root}${file}`, ...args], {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  return {
    output: () => output,
    errors: () => errors,
    interrupt: () => void child.kill('SIGINT'),
    kill: () => void child.kill('SIGKILL'),
    ended: new Promise((resolve) => child.once('close', resolve)),
  };
}
