import { describe, expect, it } from 'vitest';
import { readRule } from '#shared/rules/language/validate.ts';
import { oddEventId } from './market.ts';
import { channels } from './owners.ts';
import { rollScenario } from './scenario.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const seeds = Array.from({ length: 300 }, (_, index) => index + 1);

describe('a scenario', () => {
  it('has a watch on each of its events, whatever the seed', () => {
    for (const seed of seeds) {
      const { events, watches } = rollScenario(seed, now);
      const watched = new Set(watches.map(({ eventId }) => eventId));
      expect([...watched].sort()).toEqual(events.map(({ eventId }) => eventId).sort());
    }
  });

  it('is the same for the same seed', () => {
    expect(rollScenario(42, now)).toEqual(rollScenario(42, now));
  });

  it('lets the odd owner alone watch the event whose items are damaged', () => {
    for (const seed of seeds) {
      const { watches } = rollScenario(seed, now);
      const owners = watches.filter(({ eventId }) => eventId === oddEventId);
      expect(new Set(owners.map(({ owner }) => owner))).toEqual(new Set(['odd']));
    }
  });

  it('tells each owner in channels of its own', () => {
    for (const seed of seeds) {
      for (const { owner, channels: chosen } of rollScenario(seed, now).watches) {
        expect(chosen.map((place) => channels[place]?.owner)).toEqual(chosen.map(() => owner));
      }
    }
  });

  it('has rules that tell recoveries, also where messages wait, and each rule is accepted', () => {
    const watches = seeds.flatMap((seed) => rollScenario(seed, now).watches);
    const rulesOf = (who: string) =>
      watches.filter(({ owner }) => owner === who).flatMap(({ rules }) => rules);
    for (const owner of ['main', 'calm']) {
      const telling = rulesOf(owner).filter(({ tell_recovery }) => tell_recovery === true);
      expect(telling.length).toBeGreaterThan(rulesOf(owner).length / 10);
      expect(telling.filter((rule) => !readRule(rule).ok)).toEqual([]);
    }
  });

  it('has every kind of trouble in some seed', () => {
    const scenarios = seeds.map((seed) => rollScenario(seed, now));
    const some = (has: (scenario: (typeof scenarios)[number]) => boolean) => scenarios.some(has);

    expect(some(({ marketAheadMs }) => marketAheadMs > 0)).toBe(true);
    expect(some(({ marketAheadMs }) => marketAheadMs < 0)).toBe(true);
    expect(some(({ damages }) => damages.length > 0)).toBe(true);
    expect(some(({ postponements }) => postponements.length > 0)).toBe(true);
    expect(some(({ lateEventId }) => lateEventId !== undefined)).toBe(true);
    expect(some(({ watches }) => watches.some(({ rules }) => rules[0]?.type === 'listing'))).toBe(
      true,
    );
  });
});
