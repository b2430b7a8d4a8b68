/** The index in memory answers as a filter over all triggers does. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileRule } from '#shared/rules/compile.ts';
import { MemoryTriggerIndex } from '#shared/rules/memory-index.ts';
import { SortedLevels } from '#shared/rules/sorted-levels.ts';
import { createTrigger, hasPassedRearm, isReached, type Trigger } from '#shared/rules/trigger.ts';
import { ruleOf } from '#test/support/rules/market.ts';

const identity = { watchId: 'wat_1', ruleId: 'rul_1', ownerId: 'own_1', eventId: 7 };

const [spec] = compileRule(ruleOf({ type: 'level', metric: 'get_in', at_or_below: 80 }));
if (!spec) throw new Error('a level rule compiles to one trigger');

const trigger: fc.Arbitrary<Trigger> = fc
  .record({
    id: fc.nat({ max: 60 }),
    direction: fc.constantFrom('down' as const, 'up' as const),
    state: fc.constantFrom('new' as const, 'armed' as const, 'pending' as const, 'fired' as const),
    level: fc.nat({ max: 20 }),
    series: fc.constantFrom('stats/get_in', 'stats/avg_price'),
  })
  .map(({ id, direction, state, level, series }) => ({
    ...createTrigger(spec, { ...identity, triggerId: `trg_${id}` }, 0),
    ...{ direction, state, level, series },
    rearmLevel: direction === 'down' ? level + 3 : level - 3,
  }));

function ids(triggers: readonly Trigger[]): string[] {
  return triggers.map(({ triggerId }) => triggerId).sort();
}

describe('MemoryTriggerIndex', () => {
  it('finds what a filter over all triggers finds, after any puts and removals', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(trigger, fc.boolean()), { size: 'max', maxLength: 120 }),
        fc.nat({ max: 24 }),
        fc.constantFrom('down' as const, 'up' as const),
        (writes, value, direction) => {
          const index = new MemoryTriggerIndex();
          const all = new Map<string, Trigger>();
          for (const [written, isRemoval] of writes) {
            if (isRemoval) index.remove(written.triggerId);
            else index.put(written);
            if (isRemoval) all.delete(written.triggerId);
            else all.set(written.triggerId, written);
          }
          const range = { series: 'stats/get_in', direction, value };
          const wanted = (state: string, test: (t: Trigger) => boolean) =>
            ids([...all.values()].filter((t) => t.state === state && test(t)));
          const here = (t: Trigger) => t.series === range.series && t.direction === direction;
          expect(ids(index.armedReachedBy(range))).toEqual(
            wanted('armed', (t) => here(t) && isReached(t, value)),
          );
          expect(ids(index.firedPassedBy(range))).toEqual(
            wanted('fired', (t) => here(t) && hasPassedRearm(t, value)),
          );
          expect(ids(index.unsettled())).toEqual(
            ids([...all.values()].filter((t) => t.state === 'new' || t.state === 'pending')),
          );
          expect(index.size).toBe(all.size);
        },
      ),
    );
  });
});

describe('SortedLevels', () => {
  it('stays sorted and complete over many more items than a bucket holds', () => {
    const levels = new SortedLevels<number>();
    for (let i = 0; i < 5_000; i += 1) levels.put((i * 7_919) % 5_003, `id${i}`, i);
    for (let i = 0; i < 5_000; i += 2) levels.remove((i * 7_919) % 5_003, `id${i}`);
    const found = levels.from(0).map((i) => (i * 7_919) % 5_003);
    expect(levels.size).toBe(2_500);
    expect(found).toEqual([...found].sort((a, b) => a - b));
    expect(levels.from(2_500).length + levels.through(2_499).length).toBe(2_500);
  });

  it('says whether there was something to remove', () => {
    const levels = new SortedLevels<string>();
    levels.put(5, 'a', 'x');
    expect([levels.remove(5, 'b'), levels.remove(5, 'a'), levels.remove(5, 'a')]).toEqual([
      false,
      true,
      false,
    ]);
  });
});
