// The sums of the money screen: every day of a range, the pace, what sharing saved.
import type { UsageRowJson } from '../../api/calls.ts';
import { dateIn } from '../../words/times.ts';

const dayMs = 86_400_000;

export interface DayOfUsage {
  /** UTC, YYYY-MM-DD: days of the ledger are those of the marketplace's bill. */
  day: string;
  pulls: number;
  dollars: number;
}

/** The start of the UTC day so many days back, today being one of them. */
export function startOf(days: number, now: number): string {
  const today = Math.floor(now / dayMs) * dayMs;
  return new Date(today - (days - 1) * dayMs).toISOString();
}

/** Every day of a range, the newest last; a day without calls has no row in the answer, and costs nothing. */
export function everyDay(rows: readonly UsageRowJson[], days: number, now: number): DayOfUsage[] {
  const byDay = new Map(rows.map((row) => [row.day, row]));
  return Array.from({ length: days }, (_, index) => {
    const day = dateIn(now - (days - 1 - index) * dayMs, 'UTC');
    const { pulls = 0, dollars = 0 } = byDay.get(day) ?? {};
    return { day, pulls, dollars };
  });
}

/** The whole days that a pace is taken from. */
const paceDays = 7;

/** Pulls and dollars a day, over the last whole days; undefined while there is none. */
export function paceOf(
  days: readonly DayOfUsage[],
): { pulls: number; dollars: number } | undefined {
  const whole = days.slice(0, -1).slice(-paceDays);
  if (whole.length === 0) return undefined;
  const sum = (of: (day: DayOfUsage) => number) => whole.reduce((all, day) => all + of(day), 0);
  return {
    pulls: sum(({ pulls }) => pulls) / whole.length,
    dollars: sum(({ dollars }) => dollars) / whole.length,
  };
}

/** How many calls the watches would have made if each were polled alone, beyond those that were made. */
export function sharedCalls(rows: readonly UsageRowJson[], calls: number): number {
  const ofWatches = rows.filter(
    ({ subject }) => subject === 'watch' || subject === 'deleted_watch',
  );
  const others = rows.filter((row) => !ofWatches.includes(row));
  const sum = (some: readonly UsageRowJson[]) => some.reduce((all, row) => all + row.calls, 0);
  return Math.max(0, sum(ofWatches) - Math.max(0, calls - sum(others)));
}

/** Up to so many times the highest bar, a cap is drawn as a line; a higher one would leave no bar to see. */
const highestCap = 3;

/** The top of the chart, and whether the cap is inside. */
export function scaleOf(values: readonly number[], cap: number): { top: number; hasCap: boolean } {
  const highest = Math.max(0, ...values);
  const hasCap = cap > 0 && cap <= highest * highestCap;
  const most = hasCap ? Math.max(highest, cap) : highest;
  return { top: Math.ceil(most + most / 10) || 1, hasCap };
}

/** What a row is about, as people call it. */
export function nameOf({
  event_name,
  event_id,
  watch_name,
  watch_id,
  tag,
  subject,
}: UsageRowJson): string {
  if (subject === 'own_call') return `Looked up or bought: ${event_name ?? `event ${event_id}`}`;
  if (subject === 'not_named') return `Watches on ${event_name ?? `event ${event_id}`}`;
  if (subject === 'deleted_watch') return `A deleted watch on ${event_name ?? `event ${event_id}`}`;
  if (watch_id !== null) return watch_name ?? event_name ?? watch_id;
  if (event_id !== null) return event_name ?? `Event ${event_id}`;
  return tag === null ? 'Without a tag' : `#${tag}`;
}
