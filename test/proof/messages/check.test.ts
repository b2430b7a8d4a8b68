import { expect, it } from 'vitest';
import { type Finding, oneByOne, runChecks, tryAll } from './check.ts';

async function told(...findings: (() => Promise<Finding>)[]) {
  const lines: string[] = [];
  const checks = findings.map((run, index) => ({ title: `check ${index}`, run }));
  const isPassed = await runChecks(checks, (line) => lines.push(line));
  return { isPassed, lines };
}

const finding = (faults: string[]): Finding => ({ kind: 'checked', count: 3, faults });

it('says what passed and what was skipped, and that what was skipped says nothing', async () => {
  const { isPassed, lines } = await told(
    async () => finding([]),
    async () => ({ kind: 'skipped', why: 'no package index' }),
  );
  expect(isPassed).toBe(true);
  expect(lines).toEqual([
    'ok       check 0: 3 samples',
    'skipped  check 1: no package index',
    'Skipped: 1. A skipped check says nothing.',
    '1 passed, 0 failed',
  ]);
});

it('goes on after a check that fails or throws, and fails', async () => {
  const { isPassed, lines } = await told(
    async () => finding(['level: too long']),
    async () => {
      throw new Error('no such file');
    },
    async () => finding([]),
  );
  expect(isPassed).toBe(false);
  expect(lines.join('\n')).toContain('level: too long');
  expect(lines.join('\n')).toContain('Error: no such file');
  expect(lines.at(-1)).toBe('1 passed, 2 failed');
});

it('fails without a sample, and when a wrong sample is not refused', async () => {
  const faultsIn = oneByOne((text: string) => (text.includes('x') ? ['has an x'] : []));
  const trial = { right: new Map([['level', 'fox']]), wrong: new Map([['no x', 'dog']]), faultsIn };
  expect(await tryAll(trial)).toEqual({
    kind: 'checked',
    count: 1,
    faults: ['level: has an x', 'no x is wrong, and is not refused'],
  });
  expect(await tryAll({ ...trial, right: new Map(), wrong: new Map() })).toMatchObject({
    faults: ['there is no sample'],
  });
});
