// The parts of a call: they add up to its cost exactly, for any owners and any number of watches.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areSharers, askedBy, partsOf, sharerOf, sharersOf } from '#shared/polling/pull-sharers.ts';

const anyWanting = fc.array(
  fc.record({
    ownerId: fc.integer({ min: 1, max: 9 }).map((n) => `own_${n}`),
    watchId: fc.uuid(),
  }),
  { maxLength: 40 },
);
const anyPulls = fc.integer({ min: 0, max: 50 });
const sum = (parts: readonly { micropulls: number }[]) =>
  parts.reduce((total, { micropulls }) => total + micropulls, 0);

describe('partsOf', () => {
  it('adds up to the cost, and no two watches differ by more than a millionth', () => {
    fc.assert(
      fc.property(anyWanting, anyPulls, (wanting, pulls) => {
        const sharers = sharersOf(wanting);
        const parts = partsOf({ pulls, sharers });
        expect(sum(parts)).toBe(wanting.length === 0 ? 0 : pulls * 1_000_000);
        const costs = parts.map(({ micropulls }) => micropulls);
        expect(Math.max(0, ...costs) - Math.min(...costs, Math.max(0, ...costs))).toBeLessThan(2);
        expect(parts).toHaveLength(wanting.length);
        expect(areSharers(sharers)).toBe(true);
      }),
    );
  });

  it('gives an owner as much when its watches are only counted', () => {
    const watches = (ownerId: string, count: number) =>
      Array.from({ length: count }, (_, n) => ({ ownerId, watchId: `${ownerId}#${n}` }));
    const wanting = [...watches('own_1', 400), ...watches('own_2', 200)];
    const sharers = sharersOf(wanting);
    expect(Object.values(sharers ?? {}).toSorted()).toEqual([200, 400]);
    const parts = partsOf({ pulls: 3, sharers });
    const of = (ownerId: string) => parts.find(({ owner }) => owner === sharerOf(ownerId));
    expect([of('own_1')?.micropulls, of('own_2')?.micropulls]).toEqual([2_000_000, 1_000_000]);
    expect(of('own_1')).toMatchObject({ watch: null, isOwnCall: false });
  });

  it('names nobody when there are too many owners, or none', () => {
    const many = Array.from({ length: 4_001 }, (_, n) => ({ ownerId: `o${n}`, watchId: `w${n}` }));
    expect(sharersOf(many)).toBeUndefined();
    expect(partsOf({ pulls: 1 })).toEqual([]);
    expect(partsOf({ pulls: 1, sharers: {} })).toEqual([]);
  });

  it('is whole for a call that an owner asked for', () => {
    const owner = sharerOf('own_1');
    expect(partsOf({ pulls: 1, sharers: askedBy('own_1') })).toEqual([
      { owner, watch: null, isOwnCall: true, micropulls: 1_000_000 },
    ]);
  });

  it('holds no id of an owner or a watch', () => {
    const sharers = sharersOf([{ ownerId: 'own_secret', watchId: 'wat_secret' }]);
    expect(JSON.stringify(sharers)).not.toContain('secret');
  });
});
