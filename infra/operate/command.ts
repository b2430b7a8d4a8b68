/**
 * Shared by the operator's commands: a person's mistake is one line and exit code 2, a child's exit
 * code is passed on, and unknown flags are refused.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type ParseArgsConfig, parseArgs } from 'node:util';

export const projectRoot = fileURLToPath(new URL('../../', import.meta.url));

/** The operator can fix it: a flag, the account, the sender. The message is shown, exit code 2. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

/** What a command prints: lines of the answer, and lines of what is wrong. */
export const terminal = {
  say: (text: string) => void process.stdout.write(`${text}\n`),
  complain: (text: string) => void process.stderr.write(`${text}\n`),
} as const;

/** Runs a command to its end; the returned number is the exit code. */
export async function runOperation(operation: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await operation();
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  }
}

/** Like `parseArgs`, strict. @throws OperatorError naming the wrong flag */
export function readFlags<T extends ParseArgsConfig>(config: T) {
  try {
    return parseArgs({ strict: true, ...config });
  } catch (cause) {
    const [sentence = ''] = (cause as Error).message.split(/\. |\n/);
    throw new OperatorError(`${sentence.replace(/\.$/, '')}. See --help.`, { cause });
  }
}

/** @throws OperatorError for another name */
export function stageFlag(given: string): 'dev' | 'prod' {
  if (given === 'dev' || given === 'prod') return given;
  throw new OperatorError(`--stage takes dev or prod, not "${given}".`);
}

export function stackNameOf(stage: 'dev' | 'prod'): string {
  return stage === 'prod' ? 'Getin' : 'GetinDev';
}

/** Runs a program in the project's folder, on this terminal. @returns its exit code */
export function runProgram(command: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: projectRoot, stdio: 'inherit' });
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

/** Runs the CDK command line of the project. @returns its exit code */
export function runCdk(args: readonly string[]): Promise<number> {
  return runProgram(process.execPath, [`${projectRoot}node_modules/aws-cdk/bin/cdk`, ...args]);
}
