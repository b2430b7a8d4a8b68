/**
 * Installs schemathesis into its own virtual environment and runs all its phases and checks on
 * one system's document, with a time limit. Independent of the system.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const environment = `${root}.venv/fuzz`;
const version = '4.32.5';
const installMs = 300_000;
/** Time that the program needs to start, stop and write its report, beyond its own time limit. */
const graceMs = 30_000;

/** A system under test, served on loopback. */
export interface Target {
  name: string;
  url: string;
  /** The file beside this one with the system's settings. */
  configFile: string;
  /** Values that the settings read by name, such as keys. */
  variables: Record<string, string>;
  /** Checks that don't apply to the system; its own file explains why. */
  excludedChecks: readonly string[];
  /** Errors of the system that its answers don't show. */
  readFaults(): readonly string[];
  stop(): Promise<void>;
}

/** @returns false when there is no Python, or no package index. */
export function installSchemathesis(): boolean {
  const program = `${environment}/bin/schemathesis`;
  const isInstalled =
    existsSync(program) &&
    spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.includes(version);
  if (isInstalled) return true;
  if (spawnSync('python3', ['-m', 'venv', environment]).status !== 0) return false;
  const pip = spawnSync(
    `${environment}/bin/pip`,
    ['install', '--quiet', '--disable-pip-version-check', `schemathesis==${version}`],
    { timeout: installMs },
  );
  return pip.status === 0;
}

/** @returns the exit code: 0 without findings, 124 when the run had to be killed. */
export function fuzz(target: Target, o: { examples: number; seconds: number }): Promise<number> {
  const excluded = target.excludedChecks;
  const options = [
    ...['--config-file', fileURLToPath(new URL(target.configFile, import.meta.url))],
    ...['run', `${target.url}/openapi.json`, '--url', target.url],
    ...['--checks', 'all', ...(excluded.length > 0 ? ['--exclude-checks', excluded.join()] : [])],
    ...['--phases', 'examples,coverage,fuzzing,stateful'],
    ...['--max-examples', String(o.examples), '--max-time', String(o.seconds)],
    ...['--seed', '8', '--workers', '1', '--request-timeout', '20'],
    ...['--warnings', 'off', '--continue-on-failure', '--no-shrink'],
    ...['--suppress-health-check', 'all'],
  ];
  const child = spawn(`${environment}/bin/schemathesis`, options, {
    cwd: environment,
    stdio: 'inherit',
    timeout: o.seconds * 1000 + graceMs,
    env: { PATH: process.env.PATH, HOME: environment, LANG: 'C.UTF-8', ...target.variables },
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 124));
  });
}
