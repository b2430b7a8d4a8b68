// Names that others chose as keys of a stored map: any string may be one.
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { fromNameKeys, toNameKeys } from '#shared/dynamo/name-keys.ts';
import { statsAt } from '#test/support/api.ts';
import { startDynaliteTables, type TestTables } from '#test/support/tables.ts';

const observedAt = Date.parse('2026-03-01T12:00:00Z');

let tables: TestTables;
beforeAll(async () => {
  tables = await startDynaliteTables();
  return () => tables.stop();
});

it('marks every key, and takes the mark off again', () => {
  expect(toNameKeys({ '': 1, constructor: 2, ':a': 3 })).toEqual({
    ':': 1,
    ':constructor': 2,
    '::a': 3,
  });
  expect(fromNameKeys({ ':': 1, ':constructor': 2, '::a': 3, old: 4 })).toEqual({
    '': 1,
    constructor: 2,
    ':a': 3,
    old: 4,
  });
});

it('gives any map of well-formed names back as it was', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.integer())), (entries) => {
      const map = Object.fromEntries(entries.filter(([name]) => name.isWellFormed()));
      const marked = toNameKeys(map);
      expect(Object.keys(marked).every((key) => key.startsWith(':'))).toBe(true);
      expect(Object.entries(fromNameKeys(marked))).toEqual(
        expect.arrayContaining(Object.entries(map)),
      );
    }),
  );
});

it('replaces half of an emoji', () => {
  expect(toNameKeys({ 'a\ud83c': 1 })).toEqual({ ':a\ufffd': 1 });
});

it('keeps zones of any name in a table', async () => {
  const zones = Object.fromEntries(['', 'constructor', 'toString', ':', '🎟'].map((z) => [z, 90]));
  await tables.stores.snapshots.createAll([statsAt(observedAt, 90, zones)], observedAt);
  const stored = await tables.stores.snapshots.newest({ eventId: 4711, kind: 'stats' });
  if (stored?.feedKind !== 'stats') throw new Error('nothing was stored');
  expect(Object.keys(stored.zones).sort()).toEqual(['', ':', 'constructor', 'toString', '🎟']);
});
