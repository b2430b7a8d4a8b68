// Imports the rows of a watchlist file, lot by lot: says what each row would do, and does it. A repeated import changes
// nothing more.
import { inLots } from '#shared/lambda/in-lots.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import type { SearchEvents } from '../events/search-events.ts';
import { ProblemError } from '../problem.ts';
import { quotaWords, usualQuotas } from '../quotas.ts';
import { questionsOf } from './claim-question.ts';
import { createDecideRow, type KnownWatches, type RowStep, withoutRepeats } from './decide-row.ts';
import { createNameEvents } from './event-of-row.ts';
import { feedsOf } from './feeds-of-row.ts';
import type { FileFeed } from './forecast-file.ts';
import { type CarryOut, carryOutSteps, idOfRow } from './import-lot.ts';
import { createLotUse, type LotUse } from './lot-use.ts';
import { once } from './once.ts';
import { brokenRow, foretold, type RowOutcome, refusedRows } from './row-outcome.ts';
import type { FileFault, FileRow } from './watchlist-file.ts';
import type { WatchlistDeps } from './watchlist-use.ts';

type ImportDeps = WatchlistDeps & { searchEvents: SearchEvents };

/** Rows of a file that are decided on and carried out together. */
export interface ImportLot {
  /** What each row asks for; rows with faults are left out. */
  steps: RowStep[];
  faults: FileFault[];
  /** The feeds that its new and changed watches want. */
  wantedFeeds(): FileFeed[];
  /**
   * What the rows would do, in their order; those with faults are refused, and new watches above the quota.
   * @param madeBefore watches that earlier lots would make.
   */
  foretell(madeBefore?: number): RowOutcome[];
  /** Carries the rows out; those with faults are refused. */
  carryOut(how: Omit<CarryOut, 'ownerId'>): Promise<RowOutcome[]>;
}

/** @param now epoch milliseconds. */
export type PlanLot = (rows: readonly FileRow[], now: number) => Promise<ImportLot>;

/** Rows that are compared with the owner's watches together. */
const decisionsAtOnce = 100;
/** Watches that are read together. */
const readsAtOnce = 100;

/** @returns a function that begins an import of an owner: it reads what all lots are compared with. */
export function createImportWatchlist(deps: ImportDeps) {
  const { stores, quotas = usualQuotas } = deps;
  const nameEvents = createNameEvents(deps);

  return async function openImport(ownerId: string): Promise<PlanLot> {
    const [watches, defaults] = await Promise.all([
      stores.watches.listAll(ownerId),
      stores.ownerDefaults.find(ownerId),
    ]);
    const there = questionsIn(watches);
    const room = quotas.watches - watches.length;
    const channels = { find: once(stores.channels.find) };

    return async function planLot(rows, now) {
      const use = createLotUse(deps, ownerId);
      const known = await readKnown(use, ownerId, rows);
      const fresh = rows.filter(({ id }) => !known.has(id ?? ''));
      const named = await nameEvents(fresh, ownerId, now);
      const decideRow = createDecideRow({
        ...{ ownerId, known, there, defaults, named, now, channels },
        changeWatch: use.change.changeWatch,
        presentState: use.creation.presentState,
      });
      const decisions = await inLots(rows, decisionsAtOnce, (row) =>
        decideRow(row).catch((error: unknown) => ({
          faults: [{ pointer: '#', detail: brokenRow(error, row.line) }],
        })),
      );
      const faults = decisions.flatMap((decided, index) => {
        const row = rows[index];
        if (!('faults' in decided) || !row) return [];
        const { line, place } = row;
        return decided.faults.map((each) => ({ ...each, line, pointer: place(each.pointer) }));
      });
      const found = decisions.flatMap((decided) => ('faults' in decided ? [] : [decided]));
      const steps = withoutRepeats(found);
      const refused = refusedRows(faults);
      return {
        ...{ steps, faults },
        wantedFeeds: () => steps.flatMap((step) => feedsOf(step, defaults)),
        foretell: (madeBefore = 0) =>
          inOrder([...withinQuota(steps.map(foretold), room - madeBefore), ...refused]),
        async carryOut(how) {
          const own = steps.map((step) => withOwn(step, how.seed));
          const done = await carryOutSteps(use, own, { ...how, ownerId });
          noteCreated(own, done);
          return inOrder([...done, ...refused]);
        },
      };
    };

    /** Later rows with the same question find the watch that a row made. */
    function noteCreated(steps: readonly RowStep[], done: readonly RowOutcome[]): void {
      for (const [index, step] of steps.entries()) {
        const id = done[index]?.id;
        if (step.kind === 'create' && id) there.set(step.question, id);
      }
    }
  };

  /** Refuses new watches for which there is no room, in the words of the real import. */
  function withinQuota(rows: readonly RowOutcome[], room: number): RowOutcome[] {
    let left = room;
    return rows.map((row) => {
      if (row.outcome !== 'would_be_created') return row;
      left -= 1;
      if (left >= 0) return row;
      return { ...row, outcome: 'refused', detail: quotaWords('watches', quotas.watches) };
    });
  }
}

/**
 * An owner's watches by their current question. After a change, a watch still claims only its first
 * question, so an import that checked the claims alone would add it a second time.
 */
function questionsIn(watches: readonly Watch[]): Map<string, string> {
  return new Map(
    watches.flatMap((watch) => questionsOf(watch).map((question) => [question, watch.watchId])),
  );
}

/**
 * The owner's watches of the rows, by id; read consistently, because a change is compared with them. A damaged one
 * is given with its refusal: as a new watch, its row would make a second one.
 */
async function readKnown(
  { change: { owned } }: LotUse,
  ownerId: string,
  rows: readonly FileRow[],
): Promise<KnownWatches> {
  const ids = rows.flatMap(({ id }) => id ?? []);
  const found = await inLots(ids, readsAtOnce, (id) => ownedOrFault(owned, id, ownerId));
  return new Map(
    ids.flatMap((id, index) => {
      const watch = found[index];
      return watch ? [[id, watch] as const] : [];
    }),
  );
}

async function ownedOrFault(
  owned: (id: string, ownerId: string) => Promise<Watch>,
  id: string,
  ownerId: string,
): Promise<Watch | { fault: string } | undefined> {
  try {
    return await owned(id, ownerId);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return error.type === 'not-found' ? undefined : { fault: error.detail };
  }
}

/** A watch that an earlier try of the row made counts as made by the row. */
function withOwn(step: RowStep, seed: string): RowStep {
  const isOwn = step.kind === 'known' && step.id === idOfRow(seed, step.line);
  return isOwn ? { ...step, outcome: 'created' } : step;
}

function inOrder(rows: readonly RowOutcome[]): RowOutcome[] {
  return rows.toSorted((a, b) => a.line - b.line);
}
