// Imports the rows of a watchlist file: says what each row would do, and does it. If any row has a fault, nothing is
// changed; a repeated import changes nothing more.
import * as z from 'zod';
import type { Stores } from '#shared/dynamo/stores.ts';
import { inLots } from '#shared/lambda/in-lots.ts';
import { spellZones } from '#shared/rules/language/zone-names.ts';
import { type IdKind, idsFrom, madeAt } from '#shared/watchlist/id.ts';
import { defaultsFor, type OwnerDefaults } from '#shared/watchlist/owner-defaults.ts';
import {
  type NewWatch,
  newWatchSchema,
  type Watch,
  type WatchChange,
} from '#shared/watchlist/watch.ts';
import type { SearchEvents } from '../events/search-events.ts';
import { type Fault, faultsIn } from '../faults.ts';
import { ProblemError } from '../problem.ts';
import { differencesIn, rowChangeSchema } from './change-of-row.ts';
import { watchFaults } from './check-watch.ts';
import { createNameEvents } from './event-of-row.ts';
import { questionAskedBy, questionsOf } from './open-watch.ts';
import type { FileFault, FileRow } from './watchlist-file.ts';
import type { WatchlistUse } from './watchlist-use.ts';

/** What a row did; in a dry run, what it would do. */
export const rowOutcomeSchema = z.object({
  line: z.int().meta({ description: 'CSV: the line; JSON: the number from 1' }),
  outcome: z.enum([
    ...(['created', 'updated', 'unchanged', 'already_there', 'refused'] as const),
    ...(['would_be_created', 'would_be_updated'] as const),
  ]),
  id: z.string().nullable().meta({ description: 'The watch; null if there is none' }),
  detail: z.string().nullable().meta({
    description: 'Why the row is refused, or which line asks for the same watch',
  }),
});

export type RowOutcome = z.infer<typeof rowOutcomeSchema>;

/** What a row asks for. */
type Step = { line: number } & (
  | { kind: 'create'; wanted: NewWatch }
  | { kind: 'update'; watch: Watch; change: WatchChange }
  | { kind: 'known'; outcome: 'unchanged' | 'already_there'; id: string }
  /** The row asks for the same new watch as an earlier row. */
  | { kind: 'repeats'; first: number }
);

interface ImportDeps {
  stores: Pick<Stores, 'channels' | 'ownerDefaults' | 'watches'>;
  searchEvents: SearchEvents;
}

/** The rows of an owner's file, and the time (epoch ms). */
export interface Import {
  ownerId: string;
  rows: readonly FileRow[];
  now: number;
}

export interface ImportPlan {
  steps: Step[];
  faults: FileFault[];
}

/** Watches that are made or changed together. */
const rowsAtOnce = 10;
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
    const named = await nameEvents(
      rows.filter(({ id }) => !known.has(id ?? '')),
      ownerId,
      now,
    );
    const zonesOf = readingZonesOnce(use);
    const asked = new Map<string, number>();
    const steps: Step[] = [];
    const faults: FileFault[] = [];
    for (const row of rows) {
      const watch = known.get(row.id ?? '');
      const found = named.get(row.line);
      const decided =
        found && 'fault' in found
          ? [found.fault]
          : watch
            ? await decideChange(row, watch, now)
            : await decideCreation(row, found?.eventId, {
                ownerId,
                there,
                asked,
                defaults,
                zonesOf,
                now,
              });
      if (!Array.isArray(decided)) steps.push(decided);
      else
        faults.push(
          ...decided.map((fault) => ({
            ...fault,
            line: row.line,
            pointer: row.place(fault.pointer),
          })),
        );
    }
    return { steps, faults };
  }

  /** The owner's watches of the rows, by id; read consistently, because a change is compared with them. */
  async function readKnown(ownerId: string, rows: readonly FileRow[]): Promise<Map<string, Watch>> {
    const ids = rows.flatMap(({ id }) => id ?? []);
    const found = await inLots(ids, readsAtOnce, (id) => stores.watches.find(id));
    const own = found.flatMap((watch) =>
      watch?.ownerId === ownerId && watch.removedAt === undefined ? [watch] : [],
    );
    return new Map(own.map((watch) => [watch.watchId, watch]));
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

  async function decideChange(row: FileRow, watch: Watch, now: number): Promise<Step | Fault[]> {
    const { event_id: eventId, ...input } = { ...resetsOf(row), ...row.fields };
    if (eventId !== undefined && eventId !== watch.eventId) {
      const detail = `is not the event of this watch (${watch.eventId}): empty the id to watch another event`;
      return [{ pointer: '#/event_id', detail }];
    }
    const parsed = rowChangeSchema.safeParse(input);
    if (!parsed.success) return faultsIn(parsed.error, { schema: rowChangeSchema, input });
    const change = differencesIn(watch, parsed.data);
    const { line } = row;
    if (!change) return { kind: 'known', outcome: 'unchanged', id: watch.watchId, line };
    const faults = await use.changeWatch.faultsOfPatch(watch, change, now);
    return faults.length > 0 ? faults : { kind: 'update', watch, change, line };
  }

  async function decideCreation(
    { line, fields }: FileRow,
    eventId: number | undefined,
    { ownerId, there, asked, defaults, zonesOf, now }: CreationFacts,
  ): Promise<Step | Fault[]> {
    const input = { ...fields, ...(eventId !== undefined && { event_id: eventId }) };
    const parsed = newWatchSchema.safeParse(input);
    if (!parsed.success) return faultsIn(parsed.error, { schema: newWatchSchema, input });
    const zones = await zonesOf(parsed.data.event_id);
    const rules = parsed.data.rules.map((rule) => spellZones(rule, zones));
    const wanted = { ...parsed.data, rules };
    const question = questionAskedBy(wanted);
    const id = there.get(question);
    // Existing watches were checked when they were made; the market may have changed since.
    if (id !== undefined) return { kind: 'known', outcome: 'already_there', id, line };
    const { channelIds } = defaultsFor(defaults, wanted.tags ?? []);
    const checked = {
      channelIds: wanted.channels ?? channelIds,
      fallbackId: wanted.fallback_channel,
      ...{ rules, zones },
    };
    const faults = await watchFaults(stores.channels, ownerId, checked, now);
    if (faults.length > 0) return faults;
    const first = asked.get(question);
    if (first !== undefined) return { kind: 'repeats', first, line };
    asked.set(question, line);
    return { kind: 'create', wanted, line };
  }

  return {
    plan,

    /** What the steps would do. */
    foretell(steps: readonly Step[]): RowOutcome[] {
      return steps.map((step) => {
        const { line } = step;
        if (step.kind === 'known')
          return { line, outcome: step.outcome, id: step.id, detail: null };
        if (step.kind === 'repeats') return repeated(step, undefined);
        if (step.kind === 'create')
          return { line, outcome: 'would_be_created', id: null, detail: null };
        return { line, outcome: 'would_be_updated', id: step.watch.watchId, detail: null };
      });
    },

    /**
     * Carries the steps out, and reports each: a refusal affects only its own row.
     * @param seed an id that a repeated request has again; with the line it makes the ids of a row.
     */
    async carryOut(
      steps: readonly Step[],
      { ownerId, seed, now }: { ownerId: string; seed: string; now: number },
    ): Promise<RowOutcome[]> {
      const done = await inLots(
        steps,
        rowsAtOnce,
        async (step): Promise<RowOutcome | undefined> => {
          const { line } = step;
          // A later line has a later id, so that the list has the order of the file.
          const makeId = idsFrom(`${seed}/${line}`, madeAt(seed) + line);
          if (step.kind === 'repeats') return undefined;
          if (step.kind === 'known')
            return { line, outcome: step.outcome, id: step.id, detail: null };
          return reported(line, () => carryOutOne(step, { ownerId, makeId, now }));
        },
      );
      const byLine = new Map(done.flatMap((each) => (each ? [[each.line, each]] : [])));
      return steps.flatMap((step, index) => {
        if (step.kind === 'repeats') return [repeated(step, byLine.get(step.first))];
        return done[index] ?? [];
      });
    },
  };

  async function carryOutOne(
    step: Extract<Step, { kind: 'create' | 'update' }>,
    { ownerId, makeId, now }: { ownerId: string; makeId: (kind: IdKind) => string; now: number },
  ) {
    if (step.kind === 'create') {
      const { watch } = await use.openWatch({ ownerId, wanted: step.wanted, now, makeId });
      return { outcome: 'created' as const, id: watch.watchId };
    }
    const { watchId } = await use.changeWatch.patch(step.watch, step.change, makeId, now);
    return { outcome: 'updated' as const, id: watchId };
  }
}

interface CreationFacts {
  ownerId: string;
  /** The ids of the owner's watches by their questions. */
  there: ReadonlyMap<string, string>;
  /** The lines of this file's new watches by their questions. */
  asked: Map<string, number>;
  defaults: OwnerDefaults;
  zonesOf: (eventId: number) => Promise<string[] | undefined>;
  now: number;
}

/** An empty cell resets a setting; an empty cell of the rules or the event says nothing. */
function resetsOf({ empty }: FileRow): Record<string, unknown> {
  const nulled = ['name', 'channels', 'latency_seconds', 'fallback_channel'];
  return {
    ...Object.fromEntries(
      nulled.filter((name) => empty.includes(name)).map((name) => [name, null]),
    ),
    ...(empty.includes('tags') && { tags: [] }),
  };
}

function readingZonesOnce({ presentState }: WatchlistUse) {
  const reads = new Map<number, Promise<string[] | undefined>>();
  return (eventId: number) => {
    const read = reads.get(eventId) ?? presentState.zones(eventId);
    reads.set(eventId, read);
    return read;
  };
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
