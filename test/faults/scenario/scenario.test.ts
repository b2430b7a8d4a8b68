import { describe, expect, it } from 'vitest';
import { rollScenario } from './scenario.ts';

describe('a scenario', () => {
  it('has a watch on each of its events, whatever the seed', () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const { events, watches } = rollScenario(seed, Date.parse('2026-03-01T12:00:00Z'));
      const watched = new Set(watches.map(({ eventId }) => eventId));
      expect([...watched].sort()).toEqual(events.map(({ eventId }) => eventId).sort());
    }
  });
});
