// The values that a stats snapshot has.
import { expect, it } from 'vitest';
import { stats } from '#shared/rules/sources/stats.ts';

it('a damaged name among the metrics of a snapshot is left out, and the others are read', () => {
  const damaged = {
    ...{ feedKind: 'stats', eventId: 7, observedAt: 0 },
    metrics: { get_in: 7_600, constructor: 5 },
    zones: { Floor: { odd: 1, get_in: 8_000 } },
  };
  expect(stats.valuesOf(damaged as never)).toEqual([
    [{ kind: 'metric', metric: 'get_in', zone: null }, 7_600],
    [{ kind: 'metric', metric: 'get_in', zone: 'Floor' }, 8_000],
  ]);
});
