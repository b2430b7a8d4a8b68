// The command's answer to an invalid flag: one line, and exit code 2.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const program = fileURLToPath(new URL('./main.ts', import.meta.url));

function run(...flags: string[]) {
  const { status, stderr } = spawnSync(process.execPath, [program, ...flags], { encoding: 'utf8' });
  return { status, stderr };
}

describe('npm run faults', () => {
  it.each([
    [['--bogus'], "Unknown option '--bogus'. See --help.\n"],
    [['--runs', 'many'], '--runs takes a whole number from 1 to 10000, not "many".\n'],
    [['--seed', '0'], '--seed takes a whole number from 1 to 999999999, not "0".\n'],
    [
      ['--assembly', 'no-such-folder'],
      'There is no synthesized stack in no-such-folder: no GetinDev.template.json.\n',
    ],
  ])('refuses %j in one line', (flags, stderr) => {
    expect(run(...flags)).toEqual({ status: 2, stderr });
  });
});
