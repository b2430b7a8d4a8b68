// The turns of listings beside those of stats: what lies between two polls of listings is lost.
import { describe, expect, it } from 'vitest';
import { valueOfNews } from '#functions/poll/value-news.ts';
import type { Feed } from '#shared/polling/feed.ts';
import { demandOf, nextTurn } from '#shared/polling/fleet.ts';
import { noEvidence } from '#shared/polling/value/feed-value.ts';
import { priorLearning } from '#shared/polling/value/fleet-learning.ts';
import { rateAt, spacingAt } from '#shared/polling/value/waiting.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const minuteMs = 60_000;
const terms = { freeWhenQuiet: false, learned: priorLearning, now };

const aFeed = (over: Partial<Feed> = {}): Feed => ({
  ...{ eventId: 7, kind: 'stats', status: 'active', latencySeconds: 60, wishVersion: 1 },
  ...{ watchersChangedAt: now, failures: 0, sharedMicropulls: 0, watches: 1 },
  rhythm: { gapsMs: Array<number>(8).fill(10 * minuteMs), lastRefreshAt: now },
  value: {
    ...{ alerts: 8, rate: { alerts: 8, days: 4 }, curve: [0, 0, 0, 0, 0], evidence: noEvidence },
    promised: { levels: 0, rate: 0, days: 0 },
  },
  ...over,
});

const hoursBetweenTurns = (over: Partial<Feed>, pullPrice: number) =>
  spacingAt(demandOf(aFeed(over), terms), { pullPrice }) / 3_600_000;

describe('listings', () => {
  it('wait half as long for each alert that they are worth, so their turns are 1.4 times as many', () => {
    const stats = hoursBetweenTurns({ kind: 'stats' }, 60);
    const listings = hoursBetweenTurns({ kind: 'listings' }, 60);
    expect(stats / listings).toBeCloseTo(Math.SQRT2, 1);
  });

  it('out of reach count with a poll each six hours, and come rarer yet under a price', () => {
    const rare: Partial<Feed> = { kind: 'listings', isOutOfReach: true };
    const perDay = 86_400_000 * rateAt(demandOf(aFeed(rare), terms), { pullPrice: 0 });
    expect(perDay).toBeCloseTo(4, 9);
    expect(hoursBetweenTurns(rare, 60)).toBeGreaterThan(
      hoursBetweenTurns({ kind: 'listings' }, 60),
    );
  });

  it('have no price to foretell alerts from: their turns follow the alerts that came', () => {
    const value = valueOfNews(aFeed({ kind: 'listings', lastSnapshotAt: now - 86_400_000 }), {
      snapshots: [{ feedKind: 'listings', eventId: 7, observedAt: now, filters: {} }],
      ...{ rhythm: aFeed().rhythm, triggers: [], alerts: 11, learned: priorLearning },
    });
    expect([value?.memory, value?.nearest, value?.curve]).toEqual([
      ...[undefined, undefined, [0, 0, 0, 0, 0]],
    ]);
    expect(value?.rate.alerts).toBe(11);
    const { why } = nextTurn(aFeed({ kind: 'listings', value }), { ...terms, pullPrice: 60 });
    expect(why).toBe('about 0.2 alerts expected by 16:50 UTC; 1 watch');
  });
});
