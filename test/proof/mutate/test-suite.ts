// The part of Vitest's interface that declares tests, without its worker per file: a changed file is
// judged in a fraction of the time. Tests run in order until one fails. The matchers are Vitest's own.

type Step = (...given: never[]) => unknown;

class Suite {
  beforeAll: Step[] = [];
  beforeEach: Step[] = [];
  afterEach: Step[] = [];
  afterAll: Step[] = [];
  entries: (Suite | Step)[] = [];
}

let current = new Suite();
let finishing: Step[] = [];

export const beforeAll = (step: Step): void => void current.beforeAll.push(step);
export const beforeEach = (step: Step): void => void current.beforeEach.push(step);
export const afterEach = (step: Step): void => void current.afterEach.push(step);
export const afterAll = (step: Step): void => void current.afterAll.push(step);
export const onTestFinished = (step: Step): void => void finishing.push(step);

type Declare = (title: string, ...rest: readonly unknown[]) => void;

/** The functions that declare tests or suites, with the variants that our tests use. */
function declaring(add: (run: Step) => void) {
  const declare: Declare = (_title, ...rest) => add(() => runOf(rest)());
  const each =
    (rows: readonly unknown[]): Declare =>
    (_title, ...rest) => {
      const run = runOf(rest);
      for (const row of rows) add(() => (Array.isArray(row) ? run(...row) : run(row)));
    };
  const skip: Declare = () => {};
  return Object.assign(declare, { each, skipIf: (skips: unknown) => (skips ? skip : declare) });
}

/** Options may come before or after the function. */
function runOf(rest: readonly unknown[]): (...given: unknown[]) => unknown {
  const run = rest.find((each) => typeof each === 'function');
  if (!run) throw new Error('a test without a function');
  return (...given) => Reflect.apply(run, undefined, given);
}

export const it = declaring((run) => void current.entries.push(run));
export const describe = declaring((declare) => {
  const outer = current;
  current = new Suite();
  outer.entries.push(current);
  declare();
  current = outer;
});

/** Runs the tests that a file declares on import. @returns the first failure; undefined for none. */
export async function runSuites(declare: () => Promise<unknown>): Promise<string | undefined> {
  const file = new Suite();
  current = file;
  try {
    await declare();
    if (file.entries.length === 0) throw new Error('the file declares no test');
    await runSuite(file, []);
    return undefined;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? String(error)) : String(error);
  }
}

async function runSuite(suite: Suite, outer: readonly Suite[]): Promise<void> {
  const cleanUps: Step[] = [];
  try {
    for (const step of suite.beforeAll) cleanUps.push(...cleanUpOf(await step()));
    for (const entry of suite.entries) {
      if (entry instanceof Suite) await runSuite(entry, [...outer, suite]);
      else await runTest(entry, [...outer, suite]);
    }
  } finally {
    for (const step of [...suite.afterAll.toReversed(), ...cleanUps]) await step();
  }
}

async function runTest(test: Step, suites: readonly Suite[]): Promise<void> {
  finishing = [];
  const cleanUps: Step[] = [];
  try {
    for (const { beforeEach } of suites) {
      for (const step of beforeEach) cleanUps.push(...cleanUpOf(await step()));
    }
    await test();
  } finally {
    const afterEach = suites.toReversed().flatMap((suite) => suite.afterEach.toReversed());
    for (const step of [...afterEach, ...cleanUps, ...finishing]) await step();
  }
}

/** A hook may return its cleanup function. */
function cleanUpOf(returned: unknown): Step[] {
  return typeof returned === 'function' ? [() => Reflect.apply(returned, undefined, [])] : [];
}
