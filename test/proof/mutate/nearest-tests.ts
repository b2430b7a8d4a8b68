// Chooses the tests of a changed file: those that reach it by imports, nearest first.
import { basename, join } from 'node:path';
import { isOwnModule, ownFolders, projectRoot, sourcesUnder } from '#test/support/source-files.ts';

const importsOf = new Map(
  ownFolders.flatMap((folder) =>
    sourcesUnder(folder).map(({ path, imports }) => [path, imports.filter(isOwnModule)] as const),
  ),
);

/** Files that a store consists of besides its own, which its contention suite covers. */
const partOf = new Map([['feed-polls', 'feeds']]);
const emulator = 'test/support/tables.ts';

/**
 * The test files that reach a file: a store's contention suite first, then the most alike by path; of
 * those the ones without an emulator, then the ones with the fewest imports on the way.
 * @param path from the checkout's folder on.
 * @param most how many, at the most, besides the contention suite.
 * @returns absolute paths.
 */
export function nearestTests(path: string, most: number): string[] {
  const name = basename(path, '.ts');
  const suite = `test/shared/dynamo/contention/${partOf.get(name) ?? name}.test.ts`;
  const hasSuite = path.startsWith('shared/dynamo/') && importsOf.has(suite);
  const others = [...importsOf.keys()]
    .filter((test) => /(?<!\.exhaustive)\.test\.ts$/.test(test) && !(hasSuite && test === suite))
    .flatMap((test) => {
      const away = importsBetween(test, path);
      if (away === undefined) return [];
      const isSlow = importsBetween(test, emulator) !== undefined;
      return [{ test, rank: [-alike(test, path), Number(isSlow), away] }];
    })
    .sort((a, b) => byRank(a.rank, b.rank))
    .slice(0, most)
    .map(({ test }) => test);
  return [...(hasSuite ? [suite] : []), ...others].map((test) => join(projectRoot, test));
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

/** How many folders both paths have in common; the same name of the file counts too. */
function alike(test: string, path: string): number {
  const parts = new Set(partsOf(path));
  return partsOf(test).filter((part) => parts.has(part)).length;
}

function partsOf(path: string): string[] {
  return path.replace(/(\.test)?\.ts$/, '').split('/');
}
