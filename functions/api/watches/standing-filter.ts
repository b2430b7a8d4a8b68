// The filters of a list of watches: by the stored watch, by its event, and by its standing.
import { type EventQuestion, isMeant } from '#shared/watchlist/event-question.ts';
import { hasWord, searchText } from '#shared/watchlist/fold-text.ts';
import type { TroubleCode } from '#shared/watchlist/trouble-table.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import type { CurrentWatch } from './current-status.ts';
import type { StandingRow } from './sorted-page.ts';
import type { WatchState } from './watch-state.ts';
import { shareOf } from './watch-status.ts';

/** What a filter asks of all troubles of a watch. */
export const troubleGroups = ['any', 'unexpected', 'none'] as const;

/** An undefined filter matches every watch. */
export interface StandingFilter {
  eventId?: number | undefined;
  status?: Watch['status'] | undefined;
  tag?: string | undefined;
  state?: WatchState | undefined;
  trouble?: TroubleCode | (typeof troubleGroups)[number] | undefined;
  /** Words of the performer or the event's name. */
  team?: EventQuestion['performer'] | undefined;
  /** Words and dates, each in the event, the watch's name or a tag. */
  search?: EventQuestion | undefined;
  /** The first and the last date of the event, YYYY-MM-DD. */
  from?: string | undefined;
  to?: string | undefined;
  /** The largest distance of a rule that has not fired, in percent of its level. */
  nearPercent?: number | undefined;
  /** The last alert is from this time on, epoch milliseconds. */
  firedSince?: number | undefined;
}

/** Whether the stored watch itself passes. */
export function isOwn({ eventId, tags = [] }: Watch, filter: StandingFilter): boolean {
  if (filter.eventId !== undefined && filter.eventId !== eventId) return false;
  return filter.tag === undefined || tags.includes(filter.tag);
}

/** Whether the watch passes with its event; one without a known date matches no range of dates. */
export function isOfEvent(watch: CurrentWatch, filter: StandingFilter): boolean {
  const { status, facts } = watch;
  const { team, search, from, to } = filter;
  if (filter.status !== undefined && filter.status !== status) return false;
  if (from !== undefined && !(facts?.date !== undefined && facts.date >= from)) return false;
  if (to !== undefined && !(facts?.date !== undefined && facts.date <= to)) return false;
  if (search !== undefined && !isFound(watch, search)) return false;
  if (team === undefined) return true;
  const text = searchText([facts?.name, facts?.performer]);
  return team.every(({ word }) => hasWord(text, word));
}

function isFound({ facts, name, tags = [] }: CurrentWatch, search: EventQuestion): boolean {
  const {
    name: event_name = '',
    date: event_date = '',
    performer,
    venueName,
    venueCity,
  } = facts ?? {};
  const text = () => searchText([event_name, performer, venueName, venueCity, name, ...tags]);
  return isMeant(search, { event_name, event_date }, text);
}

/** Whether one of the filters needs what the watch shows now. */
export function needsStanding({ trouble, nearPercent, firedSince }: StandingFilter): boolean {
  return trouble !== undefined || nearPercent !== undefined || firedSince !== undefined;
}

/** Whether the row passes the filters that counts don't look at: its state, and those by its standing. */
export function isShown(row: StandingRow, filter: StandingFilter): boolean {
  const { state, nearPercent, firedSince } = filter;
  if (state !== undefined && row.state !== state) return false;
  if (!hasTrouble(row, filter)) return false;
  if (nearPercent !== undefined && !isNear(row, nearPercent)) return false;
  return firedSince === undefined || hasFiredSince(row, firedSince);
}

function hasTrouble({ standing }: StandingRow, { trouble }: StandingFilter): boolean {
  if (trouble === undefined) return true;
  const { troubles = [] } = standing ?? {};
  if (trouble === 'any') return troubles.length > 0;
  if (trouble === 'none') return troubles.length === 0;
  return trouble === 'unexpected'
    ? troubles.some(({ expected }) => !expected)
    : troubles.some(({ code }) => code === trouble);
}

/** Whether the watch has a trouble that its owner did not ask for. */
export function isInTrouble(row: StandingRow): boolean {
  return hasTrouble(row, { trouble: 'unexpected' });
}

/** Whether an active watch waits with a rule within so many percent of its level. */
export function isNear({ watch, standing }: StandingRow, percent: number): boolean {
  if (watch.status !== 'active') return false;
  const waiting = standing?.rules.filter(({ state }) => state !== 'fired') ?? [];
  const shares = waiting.map(shareOf).filter((share) => share !== null);
  return shares.some((share) => share <= percent * 100);
}

/** Whether the last alert of the watch is from a time on, epoch milliseconds. */
export function hasFiredSince({ standing }: StandingRow, since: number): boolean {
  return (standing?.lastAlert?.firedAt ?? Number.NEGATIVE_INFINITY) >= since;
}
