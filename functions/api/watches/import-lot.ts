// Carries out decided rows of a watchlist file together. A repeat with the same seed changes nothing more and reports
// the same outcomes.
import { inLots } from '#shared/lambda/in-lots.ts';
import type { ChangedBy } from '#shared/watchlist/changed-by.ts';
import { type IdKind, idsFrom, madeAt } from '#shared/watchlist/id.ts';
import type { RowStep } from './decide-row.ts';
import type { LotUse } from './lot-use.ts';
import { notReached, type RowOutcome, repeated, reported } from './row-outcome.ts';

/** Watches that are made or changed together: some four requests each, and the SDK has 50 connections. */
const rowsAtOnce = 50;

export interface CarryOut {
  ownerId: string;
  /** An id that a repeated request has again; with the line it makes the ids of a row. */
  seed: string;
  /** Who asks for the import. */
  by: ChangedBy;
  /** Epoch milliseconds. */
  now: number;
  /** Whether there is time for further rows. */
  hasTime: () => boolean;
}

type Work = Extract<RowStep, { kind: 'create' | 'update' }>;

/** The id of the watch that a row makes. A later line has a later id, so that the list has the order of the file. */
export function idOfRow(seed: string, line: number): string {
  return makerOf(seed, line)('watch');
}

function makerOf(seed: string, line: number): (kind: IdKind) => string {
  return idsFrom(`${seed}/${line}`, madeAt(seed) + line);
}

/** Reports each step: a refusal affects only its own row. Rows for which there is no time are `not_reached`. */
export async function carryOutSteps(
  use: LotUse,
  steps: readonly RowStep[],
  { ownerId, seed, by: key, now, hasTime }: CarryOut,
): Promise<RowOutcome[]> {
  const by = { ...key, way: 'import' } as const;
  const work = steps.filter((step) => step.kind === 'create' || step.kind === 'update');
  const fresh = work.filter((step) => step.kind === 'create');
  const done = new Map<number, RowOutcome>();
  await use.reserve(
    fresh.length,
    fresh.reduce((sum, { wanted }) => sum + wanted.rules.length, 0),
  );
  try {
    await inLots(work, rowsAtOnce, async (step) => {
      if (!hasTime()) return;
      done.set(step.line, await reported(step.line, () => carryOutOne(step)));
    });
  } finally {
    await use.end();
  }
  return steps.map((step) => outcomeOf(step, done));

  async function carryOutOne(step: Work) {
    const makeId = makerOf(seed, step.line);
    if (step.kind === 'create') {
      const { wanted } = step;
      const { watch } = await use.creation.openWatch({ ownerId, wanted, by, now, makeId });
      return { outcome: 'created' as const, id: watch.watchId };
    }
    const { watch, change } = step;
    const { watchId } = await use.change.changeWatch.patch(watch, change, makeId, { by, now });
    return { outcome: 'updated' as const, id: watchId };
  }
}

function outcomeOf(step: RowStep, done: ReadonlyMap<number, RowOutcome>): RowOutcome {
  const { line } = step;
  if (step.kind === 'known') return { line, outcome: step.outcome, id: step.id, detail: null };
  const own = done.get(step.kind === 'repeats' ? step.first : line);
  if (step.kind !== 'repeats') return own ?? notReached(line);
  return own ? repeated(step, own) : notReached(line);
}
