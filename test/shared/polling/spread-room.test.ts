// How many pulls of a short budget fit into five minutes, and which feeds take them.
import { describe, expect, it } from 'vitest';
import { type Budget, newBudget } from '#shared/polling/budget.ts';
import type { Feed } from '#shared/polling/feed.ts';
import { newMarketState, noteRun, takenByRuns } from '#shared/polling/market-state.ts';
import { pullsTogether, spreadRoom, waitsForRoom, withinRoom } from '#shared/polling/spread.ts';

const now = Date.parse('2026-03-10T12:00:00Z');
const minuteMs = 60_000;
const spent = (over: Partial<Budget> = {}): Budget => ({ ...newBudget(now), ...over });

it.each([
  ['four for a small account', { daily: 100, monthly: 3_100 }, 4],
  ['three even shares for a large one', { daily: 28_800, monthly: 1_000_000 }, 300],
  ['fewer, if the period allows less', { daily: 28_800, monthly: 44_640 }, 15],
])('pulls in five minutes are %s', (_title, caps, expected) => {
  expect(pullsTogether(spent(), caps)).toBe(expected);
});

describe('the room for pulls', () => {
  const caps = { daily: 100, monthly: 3_100 };

  it('is what the last runs left', () => {
    expect(spreadRoom(spent(), caps, { taken: 3, now }).pulls).toBe(1);
    expect(spreadRoom(spent(), caps, { taken: 9, now }).pulls).toBe(0);
  });

  it.each([
    ['a quarter of a day ahead of an even one', 50, 25],
    ['more after hours without pulls', 10, 65],
    ['none once they are ahead', 75, 0],
  ])('lets first looks be %s', (_title, dayCommitted, expected) => {
    const room = spreadRoom(spent({ dayCommitted }), caps, { taken: 4, now });
    expect(room).toEqual({ pulls: 0, firstLooks: expected });
  });
});

describe('the feeds within the room', () => {
  const feed = (eventId: number, over: Partial<Feed> = {}): Feed => ({
    ...{ eventId, kind: 'stats', status: 'active', latencySeconds: 60, wishVersion: 1 },
    ...{ watchersChangedAt: now - 9, lastPolledAt: now - 5, failures: 0, sharedMicropulls: 0 },
    ...{ nextPollAt: now, rhythm: { gapsMs: [] } },
    ...over,
  });
  const inVain = feed(1, { rhythm: { gapsMs: [], quietAt: now - 5 } });
  const hasTurn = feed(2);
  const isNew = feed(3, { watchersChangedAt: now });
  const ids = (feeds: readonly Feed[]) => feeds.map(({ eventId }) => eventId);
  const due = [inVain, hasTurn, isNew];

  it.each([
    ['first looks, then turns, last looks that found nothing', 6, 0, [3, 2, 1]],
    ['no looks that found nothing beyond half of the room', 4, 0, [3, 2]],
    ['a first look takes the room of others', 1, 1, [3]],
    ['first looks alone where the five minutes are full', 0, 1, [3]],
    ['nothing', 0, 0, []],
  ])('are %s', (_title, pulls, firstLooks, expected) => {
    expect(ids(withinRoom(due, { pulls, firstLooks }, () => true))).toEqual(expected);
  });

  it('are all others while the budget is free', () => {
    const waits = (each: Feed) => waitsForRoom(each, { isShort: false });
    expect(ids(withinRoom(due, { pulls: 0, firstLooks: 1 }, waits))).toEqual([3, 1, 2]);
    expect(ids(withinRoom(due, { pulls: 0, firstLooks: 0 }, waits))).toEqual([1, 2]);
  });

  it('are without those that the budget held when it was short', () => {
    const held = feed(4, { nextPollAt: now - minuteMs });
    const waits = (each: Feed) => waitsForRoom(each, { isShort: false, heldAt: now - minuteMs });
    expect(ids(withinRoom([held, hasTurn], { pulls: 0, firstLooks: 0 }, waits))).toEqual([2]);
  });
});

describe('the pulls of the last runs', () => {
  it('are those of six minutes, so that a poll that starts late counts too', () => {
    const noted = noteRun(noteRun(newMarketState, 100, now), 103, now + minuteMs);
    expect(takenByRuns(noted, 104, now + 2 * minuteMs)).toBe(4);
    expect(takenByRuns(noted, 104, now + 6 * minuteMs)).toBe(1);
    expect(takenByRuns(noted, 104, now + 7 * minuteMs)).toBe(0);
  });

  it('count from what was taken before the first of two runs in a minute', () => {
    const noted = noteRun(noteRun(newMarketState, 100, now), 102, now + 1_000);
    expect(takenByRuns(noted, 105, now + 2_000)).toBe(5);
  });

  it('leave out calls that were under way and were free', () => {
    const noted = noteRun(noteRun(newMarketState, 102, now), 100, now + minuteMs);
    expect(takenByRuns(noted, 101, now + minuteMs)).toBe(1);
  });

  it('begin again with a period', () => {
    expect(takenByRuns(noteRun(newMarketState, 900, now), 1, now + minuteMs)).toBe(0);
  });
});
