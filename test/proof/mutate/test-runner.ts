// Runs tests against a changed text of one file. Vitest serves the text in place of the file's own, so
// nothing is written to the disk; files that a test starts as programs of their own keep theirs.
import type { TestSpecification, Vitest } from 'vitest/node';
import { createVitest } from 'vitest/node';

export interface TestRunner {
  /**
   * The test files that reach a file by imports, the most alike by path first.
   * @param most how many, at the most.
   */
  testsFor(path: string, most: number): Promise<readonly TestSpecification[]>;
  /**
   * Runs tests in turn until one fails. A test that the change makes many times slower has noticed it:
   * its worker is ended, because an endless loop would never return.
   */
  run(tests: readonly TestSpecification[], change: Change | undefined): Promise<Verdict>;
  close(): Promise<void>;
}

export interface Change {
  path: string;
  text: string;
}

export type Verdict = 'passed' | 'failed' | 'late';

const testMs = 20_000;
/** A test file is late after this many times the duration of its unchanged run, and not before `leastMs`. */
const lateTimes = 5;
const leastMs = 15_000;

export async function openTestRunner(root: string): Promise<TestRunner> {
  let change: Change | undefined;
  /** How long each test file takes without a change. */
  const usualMs = new Map<string, number>();
  const vitest = await createVitest(
    {
      root,
      watch: false,
      bail: 1,
      maxWorkers: 1,
      // Each run loads the changed text anew.
      isolate: true,
      reporters: [{}],
      testTimeout: testMs,
      hookTimeout: testMs,
    },
    {
      plugins: [
        {
          name: 'mutant',
          enforce: 'pre',
          load: (id: string) => (id === change?.path ? change.text : undefined),
        },
      ],
    },
  );
  return {
    testsFor: async (path, most) => (await nearestTests(vitest, path)).slice(0, most),
    async run(tests, next) {
      for (const path of [change?.path, next?.path]) if (path) vitest.invalidateFile(path);
      change = next;
      for (const test of tests) {
        const begunAt = performance.now();
        const limitMs = Math.max(leastMs, lateTimes * (usualMs.get(test.moduleId) ?? testMs));
        const verdict = await runWithin(vitest, test, limitMs);
        if (verdict !== 'passed') return verdict;
        if (!next) usualMs.set(test.moduleId, performance.now() - begunAt);
      }
      return 'passed';
    },
    close: () => vitest.close(),
  };
}

async function runWithin(
  vitest: Vitest,
  test: TestSpecification,
  limitMs: number,
): Promise<Verdict> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    // The first call asks the worker to end, the second one ends it.
    void vitest.cancelCurrentRun('test-failure');
    void vitest.cancelCurrentRun('test-failure');
  }, limitMs);
  const ended = await vitest.runTestSpecifications([test]).finally(() => clearTimeout(timer));
  if (isLate) return 'late';
  const { testModules, unhandledErrors } = ended;
  const isFailed = unhandledErrors.length > 0 || testModules.some((module) => !module.ok());
  return isFailed ? 'failed' : 'passed';
}

/** The most alike by path first, and of those the one with the fewest imports on the way. */
async function nearestTests(vitest: Vitest, path: string): Promise<TestSpecification[]> {
  const tests = await vitest.globTestSpecifications();
  const steps = await Promise.all(
    tests.map(async (test) => ({ test, away: await importsBetween(vitest, test.moduleId, path) })),
  );
  return steps
    .filter(({ away }) => away < Number.POSITIVE_INFINITY)
    .sort((a, b) => alike(b.test.moduleId, path) - alike(a.test.moduleId, path) || a.away - b.away)
    .map(({ test }) => test);
}

const importsOf = new Map<string, Promise<string[]>>();

async function importsBetween(vitest: Vitest, from: string, to: string): Promise<number> {
  let reached = new Set([from]);
  const seen = new Set(reached);
  for (let away = 0; reached.size > 0; away += 1) {
    if (reached.has(to)) return away;
    const next = (await Promise.all([...reached].map((path) => importedBy(vitest, path)))).flat();
    reached = new Set(next.filter((path) => !seen.has(path)));
    for (const path of reached) seen.add(path);
  }
  return Number.POSITIVE_INFINITY;
}

function importedBy(vitest: Vitest, path: string): Promise<string[]> {
  const known = importsOf.get(path) ?? readImports(vitest, path);
  importsOf.set(path, known);
  return known;
}

async function readImports({ vite, config }: Vitest, path: string): Promise<string[]> {
  const { ssr } = vite.environments;
  const transformed = await ssr?.transformRequest(path).catch(() => null);
  const { deps = [], dynamicDeps = [] } = transformed ?? {};
  return [...deps, ...dynamicDeps]
    .map((url) => (url.startsWith(config.root) ? url : `${config.root}${url}`))
    .filter((url) => !url.includes('/node_modules/'));
}

/** How many folders both paths have in common; the same name of the file counts too. */
function alike(test: string, path: string): number {
  const parts = new Set(partsOf(path));
  return partsOf(test).filter((part) => parts.has(part)).length;
}

function partsOf(path: string): string[] {
  return path.replace(/(\.test)?\.ts$/, '').split('/');
}
