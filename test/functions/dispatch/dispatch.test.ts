// What dispatch takes: everything that is due, within the marketplace's limit, the budget and owners'
// shares, the most urgent first.
import { beforeEach, describe, expect, it } from 'vitest';
import { createDispatch } from '#functions/dispatch/dispatch.ts';
import type { OutgoingMessage } from '#shared/lambda/queue-sender.ts';
import { QueueSendError } from '#shared/lambda/queue-sender.ts';
import type { Caps } from '#shared/polling/budget.ts';
import type { Feed, PollMessage } from '#shared/polling/feed.ts';
import { createLimits } from '#shared/polling/read-limits.ts';
import { priorLearning } from '#shared/polling/value/fleet-learning.ts';
import {
  allShards,
  createMemoryBudgetStore,
  createMemoryFeedStore,
  createMemoryMarketStateStore,
} from '#test/support/memory-stores.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const roomy: Caps = { daily: 1_000_000, monthly: 1_000_000 };

function openDispatch(
  o: {
    caps?: Caps;
    callLimit?: number;
    refuse?: (batch: number) => boolean;
    fail?: (batch: number) => Error | undefined;
  } = {},
) {
  const feeds = createMemoryFeedStore();
  const budget = createMemoryBudgetStore();
  const marketState = createMemoryMarketStateStore();
  const sent: PollMessage[] = [];
  let batches = 0;
  const dispatch = createDispatch({
    ...{ feeds, budget, marketState },
    readLimits: createLimits(budget, o.caps ?? roomy),
    sendToPoll: async (messages: readonly OutgoingMessage[]) => {
      batches += 1;
      const fault = o.fail?.(batches);
      if (fault) throw fault;
      if (o.refuse?.(batches)) throw new QueueSendError('not accepted', messages.length);
      sent.push(...messages.map(({ body }) => body as PollMessage));
    },
  });
  return {
    ...{ feeds, budget, marketState, sent },
    dispatch: (at = now) => dispatch('stats', 'slot', at),
    async wake(count: number, change: (eventId: number) => Partial<Feed> = () => ({})) {
      const limits = { events_stats: { limit: o.callLimit ?? 1_000_000, windowSeconds: 60 } };
      await marketState.change((state) => ({ ...state, limits }));
      for (let eventId = 1; eventId <= count; eventId += 1) {
        const key = { eventId, kind: 'stats' } as const;
        await feeds.wake(key, 60, now);
        const feed = await feeds.find(eventId, 'stats');
        if (feed) Object.assign(feed, { lastPolledAt: now - 60_000, ...change(eventId) });
      }
    },
  };
}

type Opened = ReturnType<typeof openDispatch>;
let opened: Opened;

beforeEach(() => {
  opened = openDispatch();
});

describe('dispatch', () => {
  it('hands out ten thousand due feeds in one slot, each once', async () => {
    await opened.wake(10_000);
    expect(await opened.dispatch()).toEqual({ dispatched: 10_000, lost: 0, left: 0, unsent: 0 });
    expect(new Set(opened.sent.map(({ eventId }) => eventId)).size).toBe(10_000);
    expect(await opened.dispatch()).toMatchObject({ dispatched: 0 });
  });

  it('has at most 24 claims under way at once, however many feeds are due', async () => {
    await opened.wake(1_050);
    const { claim } = opened.feeds;
    let underWay = 0;
    let most = 0;
    opened.feeds.claim = async (...asked) => {
      underWay += 1;
      most = Math.max(most, underWay);
      const isOurs = await claim(...asked);
      underWay -= 1;
      return isOurs;
    };

    expect(await opened.dispatch()).toMatchObject({ dispatched: 1_050 });
    expect(most).toBe(24);
  });

  it('spreads the due index over its shards', async () => {
    await opened.wake(10_000);
    const sizes = await Promise.all(
      allShards.map(async (shard) => (await opened.feeds.due('stats', shard, now)).length),
    );
    expect(Math.max(...sizes)).toBeLessThan(10_000 / 12);
  });

  it('takes no more calls than the bucket’s window leaves', async () => {
    opened = openDispatch({ callLimit: 500 });
    await opened.wake(1_000);

    expect(await opened.dispatch()).toMatchObject({
      dispatched: 400,
      left: 600,
      held: 'rate_limited',
    });
    expect(await opened.dispatch()).toMatchObject({
      dispatched: 0,
      left: 600,
      held: 'rate_limited',
    });
  });

  it('reserves what it sends and no pull beyond the cap', async () => {
    opened = openDispatch({ caps: { daily: 30, monthly: 1_000 } });
    await opened.wake(100, () => ({ lastPolledAt: now }));

    expect(await opened.dispatch()).toMatchObject({ dispatched: 30, left: 70, held: 'budget' });
    expect(await opened.budget.read()).toMatchObject({ dayCommitted: 30, daySpent: 0 });
    expect(await opened.dispatch()).toMatchObject({ dispatched: 0, held: 'budget' });
  });

  it('takes those nearest to a trigger first, and what was never polled before all', async () => {
    opened = openDispatch({ caps: { daily: 2, monthly: 1_000 } });
    await opened.wake(9, (eventId) => {
      if (eventId === 4) return { lastPolledAt: undefined } as Partial<Feed>;
      return { distance: eventId === 7 ? 0.01 : 0.9 };
    });
    await opened.dispatch();

    expect(opened.sent.map(({ eventId }) => eventId)).toEqual([4, 7]);
  });

  it('leaves feeds whose owners have used up their share, unless others want them', async () => {
    opened = openDispatch({ caps: { daily: 100, monthly: 1_000 } });
    await opened.budget.replaceSettings({ revision: 0 }, { ownerShares: { own_a: 0.1 } });
    await opened.budget.chargeOwner('2026-03-01', 'own_a', 10_000_000);
    await opened.wake(3, (eventId) => ({
      ownerIds: [['own_a'], ['own_a', 'own_b'], ['own_b']][eventId - 1] ?? [],
    }));
    await opened.dispatch();

    expect(opened.sent.map(({ eventId }) => eventId).sort()).toEqual([2, 3]);
  });

  it('tells the later poll of a feed that it waited for a cap, and no other', async () => {
    const caps = { daily: 1, monthly: 1_000 };
    opened = openDispatch({ caps });
    await opened.wake(2, (eventId) => ({ distance: eventId / 10 }));
    await opened.dispatch();
    caps.daily = 100;
    await opened.feeds.wake({ eventId: 3, kind: 'stats' }, 60, now + 1);
    await opened.dispatch(now + 1);

    expect(opened.sent.map(({ eventId, heldByBudget }) => [eventId, heldByBudget])).toEqual([
      [1, undefined],
      [3, undefined],
      [2, true],
    ]);
  });

  it('tells it of a feed whose owners had used up their share', async () => {
    opened = openDispatch({ caps: { daily: 100, monthly: 1_000 } });
    await opened.budget.replaceSettings({ revision: 0 }, { ownerShares: { own_a: 0.1 } });
    await opened.budget.chargeOwner('2026-03-01', 'own_a', 10_000_000);
    await opened.wake(2, (eventId) => ({ ownerIds: [eventId === 1 ? 'own_a' : 'own_b'] }));
    await opened.dispatch();
    await opened.dispatch(Date.parse('2026-03-02T00:00:30Z'));

    expect(opened.sent).toMatchObject([{ eventId: 2 }, { eventId: 1, heldByBudget: true }, {}]);
    expect(opened.sent.filter(({ heldByBudget }) => heldByBudget)).toHaveLength(1);
  });

  it('has at most 24 feeds given back at once when the queue takes nothing', async () => {
    opened = openDispatch({ refuse: () => true });
    await opened.wake(1_050);
    const { finishPoll } = opened.feeds;
    let underWay = 0;
    let most = 0;
    opened.feeds.finishPoll = async (...asked) => {
      underWay += 1;
      most = Math.max(most, underWay);
      const isDone = await finishPoll(...asked);
      underWay -= 1;
      return isDone;
    };

    expect(await opened.dispatch()).toMatchObject({ unsent: 1_050 });
    expect(most).toBe(24);
  });

  it('goes on when one batch is not accepted; its feeds come back by their lease', async () => {
    opened = openDispatch({ refuse: (batch) => batch === 2 });
    await opened.wake(200);

    expect(await opened.dispatch()).toEqual({ dispatched: 150, lost: 0, left: 0, unsent: 50 });
    const back = await Promise.all(
      allShards.map((shard) => opened.feeds.due('stats', shard, now + 5 * 60_000)),
    );
    expect(back.flat()).toHaveLength(200);
  });

  it('gives what the queue refused back at once, with its pull', async () => {
    opened = openDispatch({ refuse: (batch) => batch === 2 });
    await opened.wake(200);
    await opened.dispatch();

    const due = await Promise.all(allShards.map((shard) => opened.feeds.due('stats', shard, now)));
    expect(due.flat()).toHaveLength(50);
    expect((await opened.budget.current(now)).dayCommitted).toBe(150);
    expect(await opened.dispatch()).toMatchObject({ dispatched: 50, unsent: 0 });
  });

  it('gives back only the messages that the queue refused, where it says which', async () => {
    const refused = new QueueSendError('not accepted', 2, { places: [0, 3] });
    opened = openDispatch({ fail: (batch) => (batch === 1 ? refused : undefined) });
    await opened.wake(50);

    expect(await opened.dispatch()).toMatchObject({ dispatched: 48, unsent: 2 });
    const due = await Promise.all(allShards.map((shard) => opened.feeds.due('stats', shard, now)));
    expect(due.flat()).toHaveLength(2);
  });

  describe('while the budget is short', () => {
    const learned = priorLearning;
    const ofMinute = (minute: number) => opened.dispatch(now + minute * 60_000);
    const answer = async (spent: number) => {
      for (const { reservation } of opened.sent.splice(0)) {
        await opened.budget.commitReservation(reservation, { reserved: 1, spent });
      }
    };
    const polledBefore = () => ({ watchersChangedAt: now - 120_000 });

    beforeEach(async () => {
      opened = openDispatch({ caps: { daily: 100, monthly: 3_100 } });
      await opened.budget.current(now);
      await opened.budget.setPlan({ pullPrice: 5, longestMs: 1, learned });
    });

    it('takes no more together than fit into five minutes, whatever they wait for', async () => {
      await opened.wake(9, polledBefore);

      expect(await ofMinute(0)).toMatchObject({ dispatched: 4, left: 5, held: 'budget' });
      await answer(1);
      expect(await ofMinute(2)).toMatchObject({ dispatched: 0, left: 5, held: 'budget' });
      expect(await ofMinute(6)).toMatchObject({ dispatched: 4 });
    });

    it('gives the room of looks that were free to others', async () => {
      await opened.wake(6, polledBefore);
      await ofMinute(0);
      await answer(0);

      expect(await ofMinute(1)).toMatchObject({ dispatched: 2, left: 0 });
    });

    it('takes first looks beyond, up to a quarter of a day ahead', async () => {
      await opened.wake(90);

      expect(await ofMinute(0)).toMatchObject({ dispatched: 75, left: 15, held: 'budget' });
    });

    it('holds no other feed than those that wait, once a plan finds that the demand fits', async () => {
      await opened.wake(9, polledBefore);
      await ofMinute(0);
      await answer(1);
      await opened.budget.setPlan({ pullPrice: 0, longestMs: 1, learned });
      for (let eventId = 10; eventId <= 19; eventId += 1) {
        await opened.feeds.wake({ eventId, kind: 'stats' }, 60, now + 60_000);
      }

      expect(await ofMinute(1)).toMatchObject({ dispatched: 10, left: 5, held: 'budget' });
      expect(opened.sent.some(({ heldByBudget }) => heldByBudget)).toBe(false);
    });
  });
});
