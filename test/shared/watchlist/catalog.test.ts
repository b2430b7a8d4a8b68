// What is kept of an event of the daily catalog, and how entries stored by earlier releases are read.
import { expect, it } from 'vitest';
import { readCatalogRow, restoreEntry, storeEntry } from '#shared/watchlist/catalog.ts';

const cells = { event_id: '4711', event_name: 'Knicks at Nets', event_date: '2026-03-01' };
const read = (more: Record<string, string>) => readCatalogRow({ ...cells, ...more });

it('an entry keeps the event’s id at Ticketmaster', () => {
  const entry = read({ tm_event_id: 'G5vYZ9VCrkz1h' });
  expect(entry?.tm_event_id).toBe('G5vYZ9VCrkz1h');
  expect(entry && restoreEntry(storeEntry(entry))).toEqual(entry);
});

it('an entry that was stored without that id is read as an event without it', () => {
  const entry = read({});
  expect(entry && restoreEntry(storeEntry(entry).slice(0, -1))).toEqual({
    ...entry,
    tm_event_id: null,
  });
});

it.each([[[4711]], [[]], [Array(20).fill(1)], ['text'], [null]])(
  'the damaged entry %j is left out',
  (stored) => expect(restoreEntry(stored)).toBeUndefined(),
);
