// The joint result of several runs: lines for people during the runs, a table and one line of JSON at
// the end.
import { type ViolationKind, violationKinds } from './oracle/judge.ts';
import type { RunResult } from './run-seed.ts';

/** Maximum number of violations shown per run; the run's log has all of them. */
const mostShown = 10;

/** A run that was aborted shows why. */
export type Outcome = RunResult | { seed: number; error: string };

export interface Totals {
  runs: number;
  failed: number;
  events: number;
  watches: number;
  snapshots: number;
  crossings: number;
  alerts: number;
  messages: number;
  violations: Record<ViolationKind, number>;
  doubled_in_gap: number;
  edits: number;
  left_behind: number;
  faults: Record<string, number>;
  failed_seeds: number[];
}

/** @returns one line, or more if something is wrong. */
export function runLines(outcome: Outcome, folder: string): string[] {
  const { seed } = outcome;
  if (isWhole(outcome) && outcome.violations.length === 0) {
    const { alerts, messages, crossings, doubledInGap, edits, leftBehind, faults, durationMs } =
      outcome;
    const struck = Object.values(faults).reduce((sum, count) => sum + count, 0);
    return [
      `seed ${seed}: ${alerts} alerts in ${messages} messages (${doubledInGap} twice), ` +
        `${edits} edits (${leftBehind} messages left behind), ${crossings} crossings, ${struck} faults, ${Math.round(durationMs / 1_000)} s: ok`,
    ];
  }
  const found = isWhole(outcome)
    ? outcome.violations.slice(0, mostShown).map(({ kind, text }) => `${kind}: ${text}`)
    : [outcome.error];
  const count = isWhole(outcome) ? `${outcome.violations.length} violations` : 'broke off';
  return [
    `seed ${seed}: ${count}`,
    ...found.map((line) => `  ${line}`),
    `  its logs: ${folder}`,
    `  again: npm run faults -- --seed ${seed}`,
  ];
}

export function addUp(outcomes: readonly Outcome[]): Totals {
  const whole = outcomes.filter(isWhole);
  const sum = (of: (run: RunResult) => number) => whole.reduce((total, run) => total + of(run), 0);
  const failed = outcomes.filter((outcome) => !isWhole(outcome) || outcome.violations.length > 0);
  const found = Object.groupBy(
    whole.flatMap(({ violations }) => violations),
    ({ kind }) => kind,
  );
  const kinds = [...new Set(whole.flatMap(({ faults }) => Object.keys(faults)))].sort();
  return {
    runs: outcomes.length,
    failed: failed.length,
    events: sum(({ events }) => events),
    watches: sum(({ watches }) => watches),
    snapshots: sum(({ snapshots }) => snapshots),
    crossings: sum(({ crossings }) => crossings),
    alerts: sum(({ alerts }) => alerts),
    messages: sum(({ messages }) => messages),
    violations: Object.fromEntries(
      violationKinds.map((kind) => [kind, found[kind]?.length ?? 0]),
    ) as Totals['violations'],
    doubled_in_gap: sum(({ doubledInGap }) => doubledInGap),
    edits: sum(({ edits }) => edits),
    left_behind: sum(({ leftBehind }) => leftBehind),
    faults: Object.fromEntries(kinds.map((kind) => [kind, sum(({ faults }) => faults[kind] ?? 0)])),
    failed_seeds: failed.map(({ seed }) => seed),
  };
}

/** The table for people. */
export function totalLines(totals: Totals): string[] {
  const { violations, faults, failed_seeds: _seeds, ...figures } = totals;
  const section = (title: string, rows: Record<string, number>) => [
    '',
    title,
    ...Object.entries(rows).map(
      ([name, count]) =>
        `${count.toLocaleString('en-US').padStart(9)}  ${name.replaceAll('_', ' ')}`,
    ),
  ];
  return [
    ...section('Runs', figures),
    ...section('Violations', violations),
    ...section('Faults', faults),
  ];
}

function isWhole(outcome: Outcome): outcome is RunResult {
  return !('error' in outcome);
}
