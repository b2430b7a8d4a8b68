// The tests of one file, in the order in which they run: the test that noticed the last change first,
// then the nearest.
import { relative } from 'node:path';
import { nearestTests } from './nearest-tests.ts';
import type { Change, Ended, TestRunner } from './test-runner.ts';

/**
 * @param most maximum number of tests besides a contention suite.
 * @returns a function that runs the tests of a changed file until one notices. A test that fails without the
 * change can't notice it, and is left out.
 */
export function createFileTests(root: string, runner: TestRunner, most: number) {
  const testsOf = new Map<string, string[]>();
  const passes = new Map<string, boolean>();

  async function doesPass(test: string): Promise<boolean> {
    const known = passes.get(test);
    if (known !== undefined) return known;
    const { verdict } = await runner.run([test], undefined);
    if (verdict !== 'passed') console.error(`left out: ${test} ${verdict} without a change`);
    passes.set(test, verdict === 'passed');
    return verdict === 'passed';
  }

  return async function testChange(change: Change): Promise<Ended> {
    const tests = testsOf.get(change.path) ?? nearestTests(relative(root, change.path), most);
    for (const test of tests) {
      if (!(await doesPass(test))) continue;
      const ended = await runner.run([test], change);
      if (ended.verdict === 'passed') continue;
      testsOf.set(change.path, [test, ...tests.filter((other) => other !== test)]);
      return ended;
    }
    testsOf.set(change.path, tests);
    return { verdict: 'passed' };
  };
}
