import { describe, expect, it } from 'vitest';
import { rollScenario } from './scenario.ts';

describe('a scenario', () => {
  it('has a watch on each of its events, whatever the seed', () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const { events, watches } = rollScenario(seed);
      const watched = new Set(watches.map(({ eventId }) => eventId));
      expect([...watched].sort()).toEqual(events.map(({ eventId }) => eventId).sort());
    }
  });
});
