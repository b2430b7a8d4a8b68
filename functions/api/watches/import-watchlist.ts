// Imports the rows of a watchlist file: says what each row would do, and does it. If any row has a fault, nothing is
// changed; a repeated import changes nothing more.
import * as z from 'zod';
import type { Stores } from '#shared/dynamo/stores.ts';
import { inLots } from '#shared/lambda/in-lots.ts';
import { timing } from '#shared/timing.ts';
import type { ChangeMark } from '#shared/watchlist/changed-by.ts';
import { type IdKind, idsFrom, madeAt } from '#shared/watchlist/id.ts';
import type { SearchEvents } from '../events/search-events.ts';
import { ProblemError } from '../problem.ts';
import { questionsOf } from './claim-question.ts';
import { createDecideRow, type KnownWatches, type RowStep, withoutRepeats } from './decide-row.ts';
import { createNameEvents } from './event-of-row.ts';
import { once } from './once.ts';
import type { FileFault, FileRow } from './watchlist-file.ts';
import type { WatchlistUse } from './watchlist-use.ts';

/** What a row did; in a dry run, what it would do. */
export const rowOutcomeSchema = z.object({
  line: z.int().meta({ description: 'CSV: the line; JSON: the number from 1' }),
  outcome: z.enum([
    ...(['created', 'updated', 'unchanged', 'already_there', 'refused'] as const),
    ...(['not_reached', 'would_be_created', 'would_be_updated'] as const),
  ]),
  id: z.string().nullable().meta({ description: 'The watch; null if there is none' }),
  detail: z.string().nullable().meta({
    description: 'Why the row is refused or not reached, or which line asks for the same watch',
  }),
});

export type RowOutcome = z.infer<typeof rowOutcomeSchema>;

interface ImportDeps {
  stores: Pick<Stores, 'channels' | 'ownerDefaults' | 'watches'>;
  searchEvents: SearchEvents;
  /** The time now, epoch milliseconds. */
  now: () => number;
}

/** The rows of an owner's file, and the time (epoch ms). */
export interface Import {
  ownerId: string;
  rows: readonly FileRow[];
  now: number;
}

export interface ImportPlan {
  steps: RowStep[];
  faults: FileFault[];
}

/** Watches that are made or changed together. */
const rowsAtOnce = 10;
/** Rows that are compared with the owner's watches together. */
const decisionsAtOnce = 25;
/** Watches that are read together. */
const readsAtOnce = 100;

/** `plan` reads only; `carryOut` makes and changes watches. */
export function createImportWatchlist(deps: ImportDeps, use: WatchlistUse) {
  const { stores } = deps;
  const nameEvents = createNameEvents(deps);

  async function plan({ ownerId, rows, now }: Import): Promise<ImportPlan> {
    const [known, there, defaults] = await Promise.all([
      readKnown(ownerId, rows),
      questionsThere(ownerId),
      stores.ownerDefaults.find(ownerId),
    ]);
    const fresh = rows.filter(({ id }) => !known.has(id ?? ''));
    const named = await nameEvents(fresh, ownerId, now);
    const decideRow = createDecideRow({
      ...{ ownerId, known, there, defaults, named, now },
      channels: { find: once(stores.channels.find) },
      changeWatch: use.changeWatch,
      presentState: use.presentState,
    });
    const decisions = await inLots(rows, decisionsAtOnce, decideRow);
    const faults = decisions.flatMap((decided, index) => {
      const row = rows[index];
      if (!('faults' in decided) || !row) return [];
      const { line, place } = row;
      return decided.faults.map((each) => ({ ...each, line, pointer: place(each.pointer) }));
    });
    const steps = decisions.flatMap((decided) => ('faults' in decided ? [] : [decided]));
    return { steps: withoutRepeats(steps), faults };
  }

  /**
   * The owner's watches of the rows, by id; read consistently, because a change is compared with them. A damaged one
   * is given with its refusal: as a new watch, its row would make a second one.
   */
  async function readKnown(ownerId: string, rows: readonly FileRow[]): Promise<KnownWatches> {
    const ids = rows.flatMap(({ id }) => id ?? []);
    const found = await inLots(ids, readsAtOnce, async (id) => {
      try {
        return await use.owned(id, ownerId);
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error;
        return error.type === 'not-found' ? undefined : { fault: error.detail };
      }
    });
    return new Map(
      ids.flatMap((id, index) => {
        const watch = found[index];
        return watch ? [[id, watch] as const] : [];
      }),
    );
  }

  /**
   * The owner's watches by their current question. After a change, a watch still claims only its first
   * question, so an import that checked the claims alone would add it a second time.
   */
  async function questionsThere(ownerId: string): Promise<Map<string, string>> {
    const watches = await stores.watches.listAll(ownerId);
    return new Map(
      watches.flatMap((watch) => questionsOf(watch).map((question) => [question, watch.watchId])),
    );
  }

  return {
    plan,

    foretell,

    /**
     * Carries the steps out, and reports each: a refusal affects only its own row. After `timing.importMs` it begins
     * no further rows, and reports those that are left: they are done when the file is sent again.
     * @param seed an id that a repeated request has again; with the line it makes the ids of a row.
     */
    async carryOut(
      steps: readonly RowStep[],
      { ownerId, seed, by: key, now }: { ownerId: string; seed: string } & ChangeMark,
    ): Promise<RowOutcome[]> {
      const endsAt = now + timing.importMs;
      const by = { ...key, way: 'import' } as const;
      const done = new Map<number, RowOutcome>();
      const begin = async (step: RowStep) => {
        const { line } = step;
        // A later line has a later id, so that the list has the order of the file.
        const makeId = idsFrom(`${seed}/${line}`, madeAt(seed) + line);
        if (step.kind === 'known') {
          done.set(line, { line, outcome: step.outcome, id: step.id, detail: null });
        } else if (step.kind !== 'repeats') {
          done.set(
            line,
            await reported(line, () => carryOutOne(step, { ownerId, makeId, by, now })),
          );
        }
      };
      for (let start = 0; start < steps.length && deps.now() < endsAt; start += rowsAtOnce) {
        await Promise.all(steps.slice(start, start + rowsAtOnce).map(begin));
      }
      return steps.map((step) => {
        const own = done.get(step.kind === 'repeats' ? step.first : step.line);
        if (!own) return notReached(step.line);
        return step.kind === 'repeats' ? repeated(step, own) : own;
      });
    },
  };

  async function carryOutOne(
    step: Extract<RowStep, { kind: 'create' | 'update' }>,
    {
      ownerId,
      makeId,
      by,
      now,
    }: ChangeMark & { ownerId: string; makeId: (kind: IdKind) => string },
  ) {
    if (step.kind === 'create') {
      const { watch } = await use.openWatch({ ownerId, wanted: step.wanted, by, now, makeId });
      return { outcome: 'created' as const, id: watch.watchId };
    }
    const { watchId } = await use.changeWatch.patch(step.watch, step.change, makeId, { by, now });
    return { outcome: 'updated' as const, id: watchId };
  }
}

/** What the steps would do. */
function foretell(steps: readonly RowStep[]): RowOutcome[] {
  return steps.map((step) => {
    const { line } = step;
    switch (step.kind) {
      case 'known':
        return { line, outcome: step.outcome, id: step.id, detail: null };
      case 'repeats':
        return repeated(step, undefined);
      case 'create':
        return { line, outcome: 'would_be_created', id: null, detail: null };
      default:
        return { line, outcome: 'would_be_updated', id: step.watch.watchId, detail: null };
    }
  });
}

function notReached(line: number): RowOutcome {
  const detail = 'There was no time left for this row: send the file again';
  return { line, outcome: 'not_reached', id: null, detail };
}

function repeated(
  { line, first }: { line: number; first: number },
  done: RowOutcome | undefined,
): RowOutcome {
  const detail = `asks for the same watch as line ${first}`;
  if (done?.outcome === 'refused') return { ...done, line };
  return { line, outcome: 'already_there', id: done?.id ?? null, detail };
}

async function reported(
  line: number,
  carryOut: () => Promise<Pick<RowOutcome, 'outcome' | 'id'>>,
): Promise<RowOutcome> {
  try {
    return { line, ...(await carryOut()), detail: null };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const { watch_id: id } = error.members;
    if (error.type === 'duplicate-watch' && typeof id === 'string') {
      return { line, outcome: 'already_there', id, detail: null };
    }
    return { line, outcome: 'refused', id: null, detail: error.detail };
  }
}
