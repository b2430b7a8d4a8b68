// The part of Vitest's interface that the contention suites use, without its worker per file: a changed
// store is judged in a fraction of the time. A suite's meetings run in order until one fails.
import { deepStrictEqual } from 'node:assert';

type Step = () => unknown;

interface Suite {
  before: Step[];
  cases: Step[];
  after: Step[];
}

let suites: Suite[] = [];

function current(): Suite {
  const suite = suites.at(-1);
  if (!suite) throw new Error('outside of describe');
  return suite;
}

export function describe(_name: string, declare: () => void): void {
  suites.push({ before: [], cases: [], after: [] });
  declare();
}

export const beforeAll = (step: Step): void => void current().before.push(step);
export const afterAll = (step: Step): void => void current().after.push(step);

export const it = {
  each:
    <Row extends readonly unknown[]>(rows: readonly Row[]) =>
    (_title: string, run: (...row: Row) => unknown): void => {
      for (const row of rows) current().cases.push(() => run(...row));
    },
};

export const expect = (found: unknown) => ({
  toEqual: (wanted: unknown): void => deepStrictEqual(found, wanted),
});

/** Runs what a file has declared while it was imported. @returns the first failure; undefined for none. */
export async function runSuites(declare: () => Promise<unknown>): Promise<string | undefined> {
  suites = [];
  try {
    await declare();
    if (suites.length === 0) throw new Error('the file declares no suite');
    for (const suite of suites) await runSuite(suite);
    return undefined;
  } catch (error) {
    return String(error);
  }
}

async function runSuite({ before, cases, after }: Suite): Promise<void> {
  for (const step of before) await step();
  try {
    for (const step of cases) await step();
  } finally {
    for (const step of after) await step();
  }
}
