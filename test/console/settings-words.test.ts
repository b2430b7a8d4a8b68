// What the settings' screen computes: defaults, keys, time zones, the words of an import.
import { describe, expect, it } from 'vitest';
import { changesOf } from '../../console/parts/changes.ts';
import { faultsByField } from '../../console/parts/faults-by-field.ts';
import {
  type DefaultsDraft,
  defaultsChange,
  latencyChoices,
} from '../../console/screens/settings/defaults.ts';
import {
  countWords,
  linesOf,
  outcomeWords,
  typeOfFile,
} from '../../console/screens/settings/import-words.ts';
import { isOver, scopesUpTo } from '../../console/screens/settings/key-words.ts';
import { clockThere, timeZones } from '../../console/screens/settings/time-zones.ts';

const now = Date.parse('2026-03-01T12:00:00Z');

it('a change has only the fields that are other ones', () => {
  const before = { name: 'Ann', recaps: true, digest: { mode: 'off' } };
  expect(changesOf(before, { ...before, digest: { mode: 'off' } })).toEqual({});
  expect(changesOf(before, { ...before, recaps: false })).toEqual({ recaps: false });
});

describe('a change of the defaults', () => {
  const none = { channels: null, latency_seconds: null };
  const before: DefaultsDraft = { ...none, tags: { east: { ...none, latency_seconds: 300 } } };

  it('names what is set, what is removed, and nothing else', () => {
    expect(defaultsChange(before, before)).toEqual({});
    const after = { ...before, latency_seconds: 60, tags: { west: none } };
    expect(defaultsChange(before, after)).toEqual({
      ...{ latency_seconds: 60, tags: { west: none, east: null } },
    });
  });

  it('is taken back by the change in the other direction', () => {
    const after = { channels: ['ch_1'], latency_seconds: null, tags: {} };
    expect(defaultsChange(after, before)).toEqual({ channels: null, tags: before.tags });
  });

  it('offers a latency that was set by the API', () => {
    expect(latencyChoices(120)).toEqual([60, 120, 300, 900, 3_600, 21_600, 86_400]);
    expect(latencyChoices(300)).toHaveLength(6);
  });
});

describe('a key', () => {
  it.each<[string | null, string | null, boolean]>([
    [null, null, false],
    ['2026-03-01T11:00:00Z', null, true],
    [null, '2026-03-01T13:00:00Z', false],
    [null, '2026-03-01T12:00:00Z', true],
  ])('revoked at %s, ending at %s: over is %s', (revoked_at, ends_at, over) => {
    expect(isOver({ revoked_at, ends_at }, now)).toBe(over);
  });

  it('gives no scope above its own', () => {
    expect(scopesUpTo('write')).toEqual(['read', 'write']);
  });
});

it('a time zone says its clock, and a name that is none says what to do', () => {
  expect(clockThere('America/New_York', now)).toBe('It is 07:00 there.');
  expect(clockThere('Mars/Base', now)).toContain('choose from the list');
  expect(timeZones()).toEqual(expect.arrayContaining(['UTC', 'Europe/Berlin']));
});

describe('an import', () => {
  it('is told by its counts', () => {
    const counts = { created: 0, would_be_created: 2, refused: 1, cost: null, watches: [] };
    expect(countWords(counts)).toBe('1 refused, 2 would be made');
    expect(outcomeWords('a_later_outcome')).toBe('a later outcome');
  });

  it('shows the lines of its file, whatever ends them', () => {
    const lineOf = linesOf(`a,b\r\n1,${'x'.repeat(200)}\n2,y`);
    expect([lineOf(1), lineOf(2).length, lineOf(3), lineOf(9)]).toEqual(['a,b', 120, '2,y', '']);
  });

  it.each([
    ['list.CSV', 'text/csv'],
    ['list.tsv', 'text/csv'],
    ['list.json', 'application/json'],
    ['list.xlsx', undefined],
  ])('takes %s as %s', (name, type) => expect(typeOfFile(name)).toBe(type));
});

it('faults are at the field that their place begins with', () => {
  const faults = [
    { pointer: '#/headers/Host', detail: 'is set by Getin' },
    { pointer: '#/headers/Via', detail: 'is there twice' },
    { pointer: '#/url', detail: 'must begin with https://' },
  ];
  expect(faultsByField(faults)).toEqual({
    headers: 'Host is set by Getin',
    url: 'must begin with https://',
  });
});
