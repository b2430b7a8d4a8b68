/**
 * `npm run test:security`: searches the tree for secrets, asks the registry for known vulnerabilities of the
 * packages, and runs the tests that SECURITY.md's threat table names. Exit code 1 if anything is found.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { judgeAudit } from './judge-audit.ts';

const root = new URL('../../../', import.meta.url);

function run(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status === 0;
}

function audit(): boolean {
  const { stdout } = spawnSync('npm', ['audit', '--json'], { cwd: root, encoding: 'utf8' });
  const verdict = judgeAudit(stdout);
  console.log(verdict.text);
  return verdict.isPassed;
}

try {
  parseArgs({ options: {} });
} catch (error) {
  console.error(`${(error as Error).message.split('\n')[0]} This command takes no arguments.`);
  process.exit(2);
}
const checks: Readonly<Record<string, () => boolean>> = {
  'secrets scan': () => run('secretlint', ['**/*']),
  'known faults of packages': audit,
  'tests of the threat table': () =>
    run('vitest', ['run', '--config', 'vitest.security.config.ts']),
};
const failed: string[] = [];
for (const [name, check] of Object.entries(checks)) {
  console.log(`\n== ${name}`);
  if (!check()) failed.push(name);
}
console.log(failed.length === 0 ? '\nall passed' : `\nfailed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
