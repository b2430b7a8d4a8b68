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
  /** @returns whether a test failed, or did not end in time. */
  notices(tests: readonly TestSpecification[], change: Change | undefined): Promise<boolean>;
  close(): Promise<void>;
}

export interface Change {
  path: string;
  text: string;
}

/** A mutant that loops without end is noticed by the time that its test takes. */
const testMs = 20_000;

export async function openTestRunner(root: string): Promise<TestRunner> {
  let change: Change | undefined;
  const vitest = await createVitest(
    {
      root,
      watch: false,
      bail: 1,
      maxWorkers: 1,
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
    async notices(tests, next) {
      for (const path of [change?.path, next?.path]) if (path) vitest.invalidateFile(path);
      change = next;
      for (const test of tests) {
        const { testModules, unhandledErrors } = await vitest.runTestSpecifications([test]);
        if (unhandledErrors.length > 0 || testModules.some((module) => !module.ok())) return true;
      }
      return false;
    },
    close: () => vitest.close(),
  };
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
