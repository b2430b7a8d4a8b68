// Chooses the tests of a changed file: those that reach it by imports, nearest first.
import { basename, join } from 'node:path';
import { isOwnModule, ownFolders, projectRoot, sourcesUnder } from '#test/support/source-files.ts';

const importsOf = new Map(
  ownFolders.flatMap((folder) =>
    sourcesUnder(folder).map(({ path, imports }) => [path, imports.filter(isOwnModule)] as const),
  ),
);

/** Contention suites of the files whose suite has another name: a store is often split over several files. */
const suitesOf: Readonly<Record<string, readonly string[]>> = {
  feeds: ['feeds', 'feed-times'],
  'feed-polls': ['feeds', 'feed-times'],
  'feed-status': ['feeds', 'feed-times'],
  'feed-wakes': ['feeds', 'feed-times', 'subscriptions'],
  budget: ['budget', 'pauses'],
  'market-state': ['market-state', 'pauses'],
  snapshots: ['snapshots', 'pauses'],
  'budget-corrections': ['budget'],
  'budget-healing': ['budget'],
  'budget-shares': ['budget'],
  'current-budget': ['budget'],
  'contention-pause': ['pauses'],
  'conditional-write': ['suppressions'],
  'delivery-attempts': ['deliveries'],
  'late-snapshots': ['evaluations'],
  unfinished: ['deliveries', 'watches'],
  'watch-changes': ['watches'],
  'event-triggers': ['triggers'],
  'trigger-writes': ['triggers'],
};
const suites = 'test/shared/dynamo/contention/';
const emulator = 'test/support/tables.ts';
/** Property tests of all functions together: each takes about a minute, so they are not run for each mutant. */
const tooSlow = ['accepted-settings', 'bad-neighbour'].map(
  (name) => `test/functions/${name}.test.ts`,
);

/**
 * The test files that reach a file: a store's contention suites first, then the most similar paths; among
 * those, tests without an emulator first, then the fewest imports on the way. Other stores' contention suites are last.
 * @param path relative to the checkout.
 * @param most maximum number besides the contention suites.
 * @returns absolute paths.
 */
export function nearestTests(path: string, most: number): string[] {
  const name = basename(path, '.ts');
  const own = path.startsWith('shared/dynamo/') ? (suitesOf[name] ?? [name]) : [];
  const ownSuites = own
    .map((suite) => `${suites}${suite}.test.ts`)
    .filter((suite) => importsOf.has(suite));
  const others = [...importsOf.keys()]
    .filter((test) => /(?<!\.exhaustive)\.test\.ts$/.test(test))
    .filter((test) => !ownSuites.includes(test) && !tooSlow.includes(test))
    .flatMap((test) => {
      const away = importsBetween(test, path);
      if (away === undefined) return [];
      const isSlow = importsBetween(test, emulator) !== undefined;
      const isOthers = test.startsWith(suites);
      return [{ test, rank: [Number(isOthers), -alike(test, path), Number(isSlow), away] }];
    })
    .sort((a, b) => byRank(a.rank, b.rank))
    .slice(0, most)
    .map(({ test }) => test);
  return [...ownSuites, ...others].map((test) => join(projectRoot, test));
}

function byRank(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((part, index) => part !== b[index]);
  return (a[at] ?? 0) - (b[at] ?? 0);
}

function importsBetween(from: string, to: string): number | undefined {
  const seen = new Set([from]);
  let reached = [from];
  for (let away = 0; reached.length > 0; away += 1) {
    if (reached.includes(to)) return away;
    const next = reached.flatMap((path) => importsOf.get(path) ?? []);
    reached = [...new Set(next)].filter((path) => !seen.has(path));
    for (const path of reached) seen.add(path);
  }
  return undefined;
}

/** The number of names below the area that both paths share; evaluate-late.test.ts shares the folder evaluate. */
function alike(test: string, path: string): number {
  const parts = partsOf(path);
  const isShared = (name: string) =>
    parts.some((part) => name === part || name.startsWith(`${part}-`));
  return partsOf(test).filter(isShared).length;
}

function partsOf(path: string): string[] {
  return path
    .replace(/(\.test)?\.ts$/, '')
    .replace('/deliveries/', '/delivery/')
    .replace(/^(test\/)?(shared|functions)\//, '')
    .split('/');
}
