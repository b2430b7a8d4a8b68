// Finds the events of rows that name their event by its name and date.

import * as z from 'zod';
import { MarketplaceError } from '#shared/marketplace/errors.ts';
import { readQuestion } from '#shared/watchlist/event-question.ts';
import type { SearchEvents } from '../events/search-events.ts';
import type { Fault } from '../faults.ts';
import { ProblemError } from '../problem.ts';
import type { FileRow } from './watchlist-file.ts';

/** An event that a row names, or why it is none. */
export type EventOfRow = { eventId: number } | { fault: Fault };

/** Events that a search may find for one name and date. */
const mostFound = 10;

/** @returns a function from rows to their events by line; each pair of name and date is searched once. */
export function createNameEvents({ searchEvents }: { searchEvents: SearchEvents }) {
  return async function nameEvents(
    rows: readonly FileRow[],
    ownerId: string,
    now: number,
  ): Promise<Map<number, EventOfRow>> {
    const found = new Map<string, EventOfRow>();
    const byLine = new Map<number, EventOfRow>();
    for (const { line, event } of rows) {
      if (!event) continue;
      const key = JSON.stringify([event.name.toLowerCase(), event.date]);
      const answer = found.get(key) ?? (await search(event, ownerId, now));
      found.set(key, answer);
      byLine.set(line, answer);
    }
    return byLine;
  };

  async function search(event: NamedEvent, ownerId: string, now: number): Promise<EventOfRow> {
    const date = dateOf(event.date);
    if (date === undefined)
      return fault('date', 'must be a date such as 2026-12-02 (or 12/2/2026, the month first)');
    try {
      const question = readQuestion({ query: event.name, date });
      const { events } = await searchEvents({ question, ownerId, limit: mostFound, now });
      return choose(events, event.name);
    } catch (error) {
      if (error instanceof ProblemError)
        return fault('event', `can’t be searched now: ${error.detail}`);
      if (!(error instanceof MarketplaceError)) throw error;
      return fault('event', 'can’t be searched now: write event_id, or try again in a minute');
    }
  }
}

interface NamedEvent {
  name: string;
  date: string;
}

function choose(
  events: readonly { event_id: number; event_name: string }[],
  name: string,
): EventOfRow {
  const same = events.filter(({ event_name }) => keyOf(event_name) === keyOf(name));
  const fitting = same.length > 0 ? same : events;
  const [only, ...others] = fitting;
  if (!only) return fault('event', 'is not found on this date: look for it with GET /v1/events');
  if (others.length === 0) return { eventId: only.event_id };
  const ids = fitting.map(({ event_id }) => event_id).join(', ');
  return fault('event', `has several events on this date: write one of ${ids} as event_id`);
}

function fault(column: string, detail: string): EventOfRow {
  return { fault: { pointer: `#/${column}`, detail } };
}

/** ISO, or month/day/year as spreadsheets in the US rewrite it. */
function dateOf(cell: string): string | undefined {
  const [, month = '', day = '', year] = /^(\d{1,2})\/(\d{1,2})\/(20\d\d)$/.exec(cell) ?? [];
  const date = year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : cell;
  return date.startsWith('20') && z.iso.date().safeParse(date).success ? date : undefined;
}

function keyOf(name: string): string {
  return name.trim().normalize('NFKC').toLowerCase();
}
