// Decides what a row of a watchlist file asks for: a new watch, a change of a watch, or nothing.
import type { ChannelStore } from '#shared/dynamo/channels.ts';
import { spellZones } from '#shared/rules/language/zone-names.ts';
import { defaultsFor, type OwnerDefaults } from '#shared/watchlist/owner-defaults.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import {
  type NewWatch,
  newWatchSchema,
  type WatchChange,
} from '#shared/watchlist/watch-request.ts';
import { type Fault, faultsIn } from '../faults.ts';
import { differencesIn, resetsOf, rowChangeSchema } from './change-of-row.ts';
import { watchFaults } from './check-watch.ts';
import { questionAskedBy } from './claim-question.ts';
import type { EventOfRow } from './event-of-row.ts';
import { once } from './once.ts';
import type { FileRow } from './watchlist-file.ts';
import type { WatchlistUse } from './watchlist-use.ts';

/** What a row asks for. */
export type RowStep = { line: number } & (
  | { kind: 'create'; wanted: NewWatch; question: string }
  | { kind: 'update'; watch: Watch; change: WatchChange }
  | { kind: 'known'; outcome: 'created' | 'updated' | 'unchanged' | 'already_there'; id: string }
  /** The row asks for the same new watch as an earlier row. */
  | { kind: 'repeats'; first: number }
);

/** A row's step, or its faults with pointers within the row. */
export type RowDecision = RowStep | { faults: Fault[] };

/** The owner's watches that rows name, by id; of a damaged one, why it can't be changed. */
export type KnownWatches = ReadonlyMap<string, Watch | { fault: string }>;

interface DecideRowDeps {
  ownerId: string;
  known: KnownWatches;
  /** The ids of the owner's watches by their questions. */
  there: ReadonlyMap<string, string>;
  defaults: OwnerDefaults;
  /** The events that rows name, by line. */
  named: ReadonlyMap<number, EventOfRow>;
  channels: Pick<ChannelStore, 'find'>;
  changeWatch: Pick<WatchlistUse['changeWatch'], 'faultsOfPatch'>;
  presentState: Pick<WatchlistUse['presentState'], 'zones'>;
  /** Epoch milliseconds. */
  now: number;
}

/** @returns the decision on one row; it changes nothing. */
export function createDecideRow(deps: DecideRowDeps) {
  const { ownerId, known, there, defaults, named, channels, changeWatch, now } = deps;
  const zonesOf = once(deps.presentState.zones);

  return async function decideRow(row: FileRow): Promise<RowDecision> {
    const watch = known.get(row.id ?? '');
    if (!watch) return withIdFault(row, await decideCreation(row));
    if ('fault' in watch) return { faults: [{ pointer: '#/id', detail: watch.fault }] };
    return decideChange(row, watch);
  };

  async function decideChange(row: FileRow, watch: Watch): Promise<RowDecision> {
    const { line } = row;
    const { event_id: eventId, ...input } = { ...resetsOf(row), ...row.fields };
    if (eventId !== undefined && eventId !== watch.eventId) {
      const detail = `is not the event of this watch (${watch.eventId}): empty the id to watch another event`;
      return { faults: [{ pointer: '#/event_id', detail }] };
    }
    const parsed = rowChangeSchema.safeParse(input);
    if (!parsed.success) {
      return { faults: faultsIn(parsed.error, { schema: rowChangeSchema, input }) };
    }
    const change = differencesIn(watch, parsed.data);
    if (!change) return { kind: 'known', outcome: 'unchanged', id: watch.watchId, line };
    const faults = await changeWatch.faultsOfPatch(watch, change, now);
    return faults.length > 0 ? { faults } : { kind: 'update', watch, change, line };
  }

  async function decideCreation({ line, fields }: FileRow): Promise<RowDecision> {
    const event = named.get(line);
    if (event && 'fault' in event) return { faults: [event.fault] };
    const input = { ...fields, ...(event && { event_id: event.eventId }) };
    const parsed = newWatchSchema.safeParse(input);
    if (!parsed.success) {
      return { faults: faultsIn(parsed.error, { schema: newWatchSchema, input }) };
    }
    const zones = await zonesOf(parsed.data.event_id);
    const rules = parsed.data.rules.map((rule) => spellZones(rule, zones));
    const wanted = { ...parsed.data, rules };
    const question = questionAskedBy(wanted);
    const id = there.get(question);
    // Existing watches were checked when they were made; the market may have changed since.
    if (id !== undefined) return { kind: 'known', outcome: 'already_there', id, line };
    const checked = {
      channelIds: wanted.channels ?? defaultsFor(defaults, wanted.tags ?? []).channelIds,
      fallbackId: wanted.fallback_channel,
      ...{ rules, zones },
    };
    const faults = await watchFaults(channels, ownerId, checked, now);
    return faults.length > 0 ? { faults } : { kind: 'create', wanted, question, line };
  }
}

/** A row with an id was meant as a change, so its faults as a new watch alone would not be understood. */
function withIdFault({ id }: FileRow, decision: RowDecision): RowDecision {
  if (id === undefined || !('faults' in decision)) return decision;
  const detail = 'is no watch of yours, so this row asks for a new watch';
  return { faults: [{ pointer: '#/id', detail }, ...decision.faults] };
}

/** A row that asks for the same new watch as an earlier row repeats that row. */
export function withoutRepeats(steps: readonly RowStep[]): RowStep[] {
  const first = new Map<string, number>();
  return steps.map((step) => {
    if (step.kind !== 'create') return step;
    const before = first.get(step.question);
    if (before !== undefined) return { kind: 'repeats', first: before, line: step.line };
    first.set(step.question, step.line);
    return step;
  });
}
