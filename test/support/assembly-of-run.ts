// The stack as `cdk synth` builds it, once per test run, because it takes seconds.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { eventually } from './local-run.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Made by run-folder.ts. */
    runFolder: string;
  }
}

const root = resolve(import.meta.dirname, '../..');
/** Far longer than it normally takes, for a busy machine. */
export const assemblyLimitMs = 600_000;
const isMade = 'made';

/** @returns the folder of the assembly; read only. @throws Error with the CDK's output if it failed */
export async function assemblyOfRun(): Promise<string> {
  const place = join(inject('runFolder'), 'assembly');
  const [outcome, output] = [join(place, 'outcome'), join(place, 'cdk.out')];
  // Test files run in several threads; the thread that creates the folder runs the synthesis.
  if (mkdirSync(place, { recursive: true })) writeFileSync(outcome, await synthesizeInto(output));
  const read = () => (existsSync(outcome) ? readFileSync(outcome, 'utf8') : '') || undefined;
  const end = await eventually('another test file to synthesize the stack', read, assemblyLimitMs);
  if (end !== isMade) throw new Error(end);
  return output;
}

async function synthesizeInto(output: string): Promise<string> {
  const args = ['node_modules/aws-cdk/bin/cdk', 'synth', '--quiet', '--output', output];
  try {
    await promisify(execFile)(process.execPath, args, { cwd: root });
    return isMade;
  } catch (error) {
    return `cdk synth failed: ${error instanceof Error ? error.message : String(error)}`;
  }
}
