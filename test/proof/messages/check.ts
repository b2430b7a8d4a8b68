/** One check of messages by another's program: its samples, and how its result is told. */

/** Faults by the name of the sample; a sample without faults may be absent. */
export type Faults = ReadonlyMap<string, readonly string[]>;

export interface Trial<Given> {
  right: ReadonlyMap<string, Given>;
  /** The program has to refuse each of these; otherwise it checks nothing. */
  wrong: ReadonlyMap<string, Given>;
  faultsIn(given: ReadonlyMap<string, Given>): Promise<Faults>;
}

export type Finding =
  | { kind: 'checked'; count: number; faults: string[] }
  | { kind: 'skipped'; why: string };

export interface MessageCheck {
  /** What is checked, and by what. */
  title: string;
  run(): Promise<Finding>;
}

/** Runs the program on all samples, the wrong ones too. */
export async function tryAll<Given>({ right, wrong, faultsIn }: Trial<Given>): Promise<Finding> {
  const found = await faultsIn(new Map([...right, ...wrong]));
  const faults = [...right.keys()].flatMap((name) =>
    (found.get(name) ?? []).map((fault) => `${name}: ${fault}`),
  );
  const taken = [...wrong.keys()].filter((name) => (found.get(name) ?? []).length === 0);
  if (right.size === 0) faults.push('there is no sample');
  faults.push(...taken.map((name) => `${name} is wrong, and is not refused`));
  return { kind: 'checked', count: right.size, faults };
}

/** A program that takes one sample at a time. */
export function oneByOne<Given>(
  faultsOf: (given: Given) => readonly string[] | Promise<readonly string[]>,
): Trial<Given>['faultsIn'] {
  return async function faultsIn(given) {
    const found = new Map<string, readonly string[]>();
    for (const [name, sample] of given) found.set(name, await faultsOf(sample));
    return found;
  };
}

export function skipped(why: string): Finding {
  return { kind: 'skipped', why };
}

/** @returns whether no check failed. @param say gets each line of the output. */
export async function runChecks(
  checks: readonly MessageCheck[],
  say: (line: string) => void,
): Promise<boolean> {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { title, run } of checks) {
    const finding = await run().catch((error: unknown): Finding => {
      return { kind: 'checked', count: 0, faults: [String(error)] };
    });
    if (finding.kind === 'skipped') {
      counts.skipped += 1;
      say(`skipped  ${title}: ${finding.why}`);
    } else if (finding.faults.length === 0) {
      counts.passed += 1;
      say(`ok       ${title}: ${finding.count} samples`);
    } else {
      counts.failed += 1;
      say(`FAIL     ${title}`);
      for (const fault of finding.faults) say(`         ${fault}`);
    }
  }
  if (counts.skipped > 0) say(`Skipped: ${counts.skipped}. A skipped check says nothing.`);
  say(`${counts.passed} passed, ${counts.failed} failed`);
  return counts.failed === 0;
}
