/**
 * Runs the CDK app in its own process and writes the cloud assembly into a folder. Uses the context
 * of cdk.json as the CDK command line does, but without its notices, telemetry and look-ups.
 */
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LocalRunError } from '../errors.ts';

const projectRoot = fileURLToPath(new URL('../../../', import.meta.url));

/** The context that the CDK command line adds itself. */
const commandLineContext = {
  'aws:cdk:enable-path-metadata': true,
  'aws:cdk:enable-asset-metadata': true,
};

export interface SynthesisOptions {
  /** The folder to create or replace. */
  outputFolder: string;
  /** @default the project's infra/app.ts */
  app?: string;
  /** @default dev */
  stage?: 'dev' | 'prod';
  signal?: AbortSignal;
}

/** @throws LocalRunError with the app's last output, if it fails */
export async function synthesize(options: SynthesisOptions): Promise<void> {
  const { outputFolder, app = `${projectRoot}infra/app.ts`, stage, signal } = options;
  rmSync(outputFolder, { recursive: true, force: true });
  const { context } = JSON.parse(readFileSync(`${projectRoot}cdk.json`, 'utf8'));
  const child = spawn(process.execPath, [app], {
    cwd: projectRoot,
    env: {
      ...process.env,
      CDK_OUTDIR: outputFolder,
      CDK_CONTEXT_JSON: JSON.stringify({ ...commandLineContext, ...context, stage }),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said = `${said}${chunk}`.slice(-20_000);
  });
  const exitCode = await new Promise<number | null>((done, fail) => {
    child.once('error', fail);
    child.once('close', done);
  });
  if (exitCode === 0) return;
  throw new LocalRunError(`The stack could not be synthesized: ${reasonIn(said)}`);
}

/** The line with the reason, from a stack trace or a bundler's report. */
function reasonIn(said: string): string {
  const lines = said.split('\n').map((line) => line.trim());
  const reason =
    lines.find((line) => /^✘ \[ERROR\]/.test(line)) ??
    lines.find((line) => /^(?:[A-Za-z]*Error|ValidationError)\b.*:/.test(line));
  return reason ?? lines.filter(Boolean).at(-1) ?? 'the app said nothing.';
}
