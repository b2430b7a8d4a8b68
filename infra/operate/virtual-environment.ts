/**
 * A Python program in its own virtual environment under .venv/, installed once at an exact version.
 * Without Python or a package index, only says so.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './command.ts';

const installMs = 300_000;

export interface PythonPackage {
  /** The environment's folder under .venv/. */
  environment: string;
  /** For example `cfn-lint==1.58.0`. */
  requirement: string;
  /** The program that the package installs. */
  program: string;
}

/** @returns the program's path, or why it is missing */
export function installProgram({
  environment,
  requirement,
  program,
}: PythonPackage): { path: string } | { missing: string } {
  const folder = join(projectRoot, '.venv', environment);
  const path = join(folder, 'bin', program);
  const python = join(folder, 'bin', 'python');
  if (!existsSync(python) && !succeeds('python3', ['-m', 'venv', folder])) {
    return { missing: 'no Python 3 with venv' };
  }
  const install = ['-m', 'pip', 'install', '--quiet', '--retries', '1', requirement];
  if (!isInstalled(python, requirement) && !succeeds(python, install)) {
    return { missing: 'no package index' };
  }
  return { path };
}

function isInstalled(python: string, requirement: string): boolean {
  const [name = '', version] = requirement.replace(/\[.*\]/, '').split('==');
  const script = `import importlib.metadata as m; print(m.version("${name}"))`;
  const { stdout } = spawnSync(python, ['-c', script], { encoding: 'utf8' });
  return stdout?.trim() === version;
}

function succeeds(command: string, args: string[]): boolean {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8', timeout: installMs });
  if (status !== 0 && stderr) process.stderr.write(`${stderr.trim().split('\n').at(-1)}\n`);
  return status === 0;
}
