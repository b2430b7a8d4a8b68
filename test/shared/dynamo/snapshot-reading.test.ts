// Which stored values are snapshots that every reader can read, and how many zones one item holds.
import { expect, it } from 'vitest';
import { isSnapshot, restoredSnapshot, storedSnapshot } from '#shared/dynamo/snapshot-reading.ts';
import { type FaultReport, listenForFaults } from '#shared/fault-report.ts';

const stats = {
  ...{ feedKind: 'stats', eventId: 7, observedAt: 1_772_366_400_000 },
  ...{ metrics: { get_in: 9_000, listing_fill_rate: null }, zones: { Court: { get_in: 9_100 } } },
};
const match = {
  ...{ key: 'k', zone: 'Court', section: '1', row: 'A', quantity: 2, priceCents: 9_000 },
};
const summary = { count: 1, cheapestCents: 9_000, newCheapestCents: null, matches: [match] };
const listings = {
  ...{ feedKind: 'listings', eventId: 7, observedAt: 1_772_366_400_000 },
  filters: { all: summary },
};

it.each([
  ['stats', stats],
  ['stats without zones', { ...stats, zones: {} }],
  ['listings', listings],
  ['listings without filters', { ...listings, filters: {} }],
])('%s can be read', (_, value) => {
  expect(isSnapshot(value)).toBe(true);
});

it.each([
  ['nothing', null],
  ['a list', [stats]],
  ['another feed', { ...stats, feedKind: 'sales' }],
  ['no event', { ...stats, eventId: undefined }],
  ['half an event', { ...stats, eventId: 7.5 }],
  ['no time', { ...stats, observedAt: '2026' }],
  ['a time beyond all dates', { ...stats, observedAt: 8.7e15 }],
  ['no metrics', { ...stats, metrics: undefined }],
  ['a metric that is text', { ...stats, metrics: { get_in: '9000' } }],
  ['a metric beyond numbers', { ...stats, metrics: { get_in: Number.NaN } }],
  ['a price below zero', { ...stats, metrics: { get_in: -1 } }],
  ['a price above every ticket', { ...stats, metrics: { get_in: 1e15 } }],
  ['a zone with a price below zero', { ...stats, zones: { Court: { get_in: -1 } } }],
  ['no zones', { ...stats, zones: undefined }],
  ['a zone that is a number', { ...stats, zones: { Court: 9_100 } }],
  ['a zone with a text', { ...stats, zones: { Court: { get_in: 'x' } } }],
  ['no filters', { ...listings, filters: undefined }],
  ['a filter without a count', { ...listings, filters: { all: { ...summary, count: null } } }],
  ['a filter without matches', { ...listings, filters: { all: { ...summary, matches: {} } } }],
  [
    'a cheapest price that is text',
    { ...listings, filters: { all: { ...summary, cheapestCents: 'x' } } },
  ],
  [
    'a cheapest price below zero',
    { ...listings, filters: { all: { ...summary, newCheapestCents: -1 } } },
  ],
  [
    'a match without a price',
    { ...listings, filters: { all: { ...summary, matches: [{ ...match, priceCents: null }] } } },
  ],
  [
    'a match whose row is a number',
    { ...listings, filters: { all: { ...summary, matches: [{ ...match, row: 1 }] } } },
  ],
])('%s can not be read', (_, value) => {
  expect(isSnapshot(value)).toBe(false);
});

it('leaves out the zones that one item has no room for, and reports them', () => {
  const faults: FaultReport[] = [];
  const stopListening = listenForFaults((report) => faults.push(report));
  const names = Array.from(
    { length: 400 },
    (_, n) => `${String(n).padStart(3, '0')}${'z'.repeat(997)}`,
  );
  const zones = Object.fromEntries(names.map((name) => [name, { get_in: 9_000 }]));
  const kept = restoredSnapshot(storedSnapshot({ ...stats, zones } as never));
  stopListening();
  if (kept.feedKind !== 'stats') throw new Error('another feed');
  expect(Object.keys(kept.zones)).toEqual(names.slice(0, 294));
  expect(faults).toMatchObject([
    {
      thing: 'market_row',
      reason: '106 zones left out: one snapshot has no room for them',
      ids: { eventId: 7, observedAt: 1_772_366_400_000 },
    },
  ]);
});
