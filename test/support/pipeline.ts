// The alerting functions joined by arrays instead of queues, over real tables: for tests that
// stop, repeat or reorder single steps. The test decides market data and sends.

import { createAddWatch } from '#functions/api/watches/add-watch.ts';
import { createPresentState } from '#functions/api/watches/present-state.ts';
import { createDispatch } from '#functions/dispatch/dispatch.ts';
import { composeEvaluate } from '#functions/evaluate/compose-evaluate.ts';
import { composePoll } from '#functions/poll/compose-poll.ts';
import type { FetchFeeds } from '#functions/poll/fetch.ts';
import { readFleet } from '#functions/reconcile/read-fleet.ts';
import { createReconcile } from '#functions/reconcile/reconcile.ts';
import type { Alert } from '#shared/alerts/alert.ts';
import type { EvaluateMessage } from '#shared/alerts/evaluation.ts';
import type { Channel } from '#shared/delivery/channel.ts';
import type { Delivery } from '#shared/delivery/delivery.ts';
import type { Prepared } from '#shared/delivery/prepare-message.ts';
import { noSlot } from '#shared/delivery/sender-slots.ts';
import { createLoadHistory } from '#shared/dynamo/history.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { sendersByKind } from '#shared/lambda/channel-senders.ts';
import { composeAttempt } from '#shared/lambda/compose-attempt.ts';
import type { OutgoingMessage, SendMessages } from '#shared/lambda/queue-sender.ts';
import type { StatsSnapshot } from '#shared/marketplace/reading.ts';
import { costliest } from '#shared/polling/assumptions.ts';
import type { PollMessage } from '#shared/polling/feed.ts';
import { forEachFeedKind } from '#shared/polling/feed-kinds.ts';
import { snapshotFromStats } from '#shared/rules/snapshot.ts';
import { type NewWatch, newWatchSchema, type Watch } from '#shared/watchlist/watch.ts';
import { type AfterStep, reportWrites } from './report-writes.ts';

export const ownerId = 'own_00000000000000000000000000000abc';
export const channelId = 'ch_00000000000000000000000000000abc';
export const eventId = 4711;
/** The start time of every pipeline. */
export const startMs = Date.parse('2026-03-01T12:00:00Z');
const minuteMs = 60_000;

export interface Sent {
  alert: Alert;
  delivery: Delivery;
}

/** A snapshot of the event with a get-in in dollars, null for an empty market. */
export function aSnapshot(atMs: number, getIn: number | null): StatsSnapshot {
  return {
    timestamp: new Date(atMs).toISOString(),
    total_listings_all: 10,
    total_listings_active: getIn === null ? 0 : 5,
    listing_fill_rate: 0.5,
    avg_price: getIn,
    median_price: getIn,
    get_in: getIn,
    get_in_qty2plus: getIn,
    zones: [],
  };
}

interface PipelineOptions {
  event?: number;
  afterStep?: AfterStep;
  /** Replaces the market that only has `market`. */
  fetch?: Partial<FetchFeeds>;
  /** Replaces the sender of a message. */
  onSend?: (prepared: Prepared, channel: Channel, delivery: Delivery) => Promise<void>;
}

/** One pipeline over its tables. `market` is the complete series that the marketplace sells. */
export async function createPipeline(
  plainStores: Stores,
  { event = eventId, afterStep = () => {}, onSend = async () => {}, ...also }: PipelineOptions = {},
) {
  const stores = reportWrites(plainStores, afterStep);
  const clock = { now: startMs };
  const market: StatsSnapshot[] = [];
  const sent: Sent[] = [];
  const raised: Alert[] = [];
  const queues = { poll: [] as unknown[], evaluate: [] as unknown[], email: [] as unknown[] };
  const into =
    (name: keyof typeof queues): SendMessages =>
    async (messages: readonly OutgoingMessage[]) => {
      queues[name].push(...messages.map(({ body }) => body));
      afterStep(`send to ${name}`);
    };
  const senders = sendersByKind({ email: into('email'), webhook: into('email') });
  const facts = { now: () => clock.now, remainingMs: () => 60_000 };

  if (!(await plainStores.channels.find(channelId))) {
    await plainStores.channels.create({
      channelId,
      ownerId,
      target: { kind: 'email', address: 'ann@example.com' },
      status: 'active',
      isImmediate: false,
      staleAlerts: 'send',
      watchesSilentUntil: {},
      stopUrl: 'https://getin.example/l/token',
      createdAt: new Date(startMs).toISOString(),
    });
  }
  const loadHistory = createLoadHistory(plainStores);
  const presentState = createPresentState({ stores, loadHistory });
  const { add: addWatch } = createAddWatch({ stores, presentState, sendNudges: into('evaluate') });
  const dispatch = createDispatch({
    ...stores,
    readLimits: async () => ({ caps: { daily: 1_000, monthly: 10_000 }, exhausted: new Set() }),
    sendToPoll: into('poll'),
  });
  const poll = composePoll({
    stores,
    fetch: {
      ...forEachFeedKind((kind) => async () => {
        throw new Error(`this pipeline has no ${kind}`);
      }),
      stats: async ({ lastSnapshotAt = 0 }) => {
        const rows = market.filter((row) => Date.parse(row.timestamp) > lastSnapshotAt);
        const snapshots = rows.map((row) => snapshotFromStats(event, row));
        const refreshes = snapshots.map(({ observedAt }) => observedAt);
        const pulls = rows.length > 0 ? 1 : 0;
        return { snapshots, refreshes, isComplete: true, pulls, reason: 'test' };
      },
      ...also.fetch,
    },
    sendNudges: into('evaluate'),
    sendNotice: async () => {},
    assumptions: costliest,
  });
  const evaluate = composeEvaluate({
    stores,
    senders,
    sendNudges: into('evaluate'),
    release: 'test',
    now: () => clock.now,
    onRaised: (alert) => raised.push(alert),
  });
  const attempt = composeAttempt({
    stores,
    senders,
    takeSlot: async () => noSlot,
    takeTurn: async () => undefined,
    send: async (prepared, channel, delivery) => {
      await onSend(prepared, channel, delivery);
      const { told } = prepared;
      sent.push(...told.map(({ alert }) => ({ alert, delivery })));
      return { kind: 'sent' };
    },
    random: () => 0,
  });
  const reconcile = createReconcile({
    ...stores,
    senders,
    sendNudges: into('evaluate'),
    clock: () => clock.now,
  });

  /** Handles everything in the queues. A message leaves its queue only after it was handled. */
  async function drain(): Promise<void> {
    while (Object.values(queues).some((queue) => queue.length > 0)) {
      await drainQueue(queues.poll, (message: PollMessage) => poll(message, facts));
      await drainQueue(queues.evaluate, (message: EvaluateMessage) =>
        evaluate(message, crypto.randomUUID(), facts),
      );
      await drainQueue(queues.email, (message: { deliveryId: string }) =>
        attempt(message.deliveryId, () => clock.now),
      );
    }
  }

  return {
    clock,
    market,
    queues,
    raised,
    sent,
    evaluate: (lease: string = crypto.randomUUID()) =>
      evaluate({ eventId: event, kind: 'stats' }, lease, facts),
    /** Records that the event's stats feed was polled just now, without polling. */
    async feedIsCurrent(): Promise<void> {
      const feed = await plainStores.feeds.find(event, 'stats');
      if (!feed) return;
      const claimed = await plainStores.feeds.claim(feed, 'test', clock.now);
      if (!claimed) throw new Error('the feed is held by somebody else');
      await plainStores.feeds.finishPoll(feed, 'test', {
        nextPollAt: clock.now,
        nextReason: 'test',
        lastPolledAt: clock.now,
        failures: 0,
        micropulls: 0,
        settles: true,
      });
    },
    attempt: (deliveryId: string) => attempt(deliveryId, () => clock.now),
    drain,
    reconcile: async () => reconcile((await readFleet(stores.feeds)).active, clock.now),
    /** Runs the queued work, but the messages of one queue are lost. */
    async loseQueue(name: keyof typeof queues): Promise<void> {
      const order = ['poll', 'evaluate', 'email'] as const;
      if (name !== 'poll') await drainQueue(queues.poll, (m: PollMessage) => poll(m, facts));
      if (order.indexOf(name) > 1) {
        await drainQueue(queues.evaluate, (m: EvaluateMessage) =>
          evaluate(m, crypto.randomUUID(), facts),
        );
      }
      queues[name].length = 0;
    },
    addWatch: async (
      rules: readonly unknown[],
      wish: Partial<NewWatch> = {},
      owner = ownerId,
    ): Promise<Watch> =>
      (
        await addWatch({
          ownerId: owner,
          wanted: newWatchSchema.parse({
            ...{ event_id: event, channels: [channelId], rules, latency_seconds: 60 },
            ...wish,
          }),
          now: clock.now,
        })
      ).watch,
    dispatch: () => dispatch('stats', new Date(clock.now).toISOString(), clock.now),
    /** One minute passes; the market has a get-in (dollars, null for none); the pipeline runs. */
    async minute(getIn?: number | null): Promise<void> {
      clock.now += minuteMs;
      if (getIn !== undefined) market.push(aSnapshot(clock.now - 1_000, getIn));
      const slot = new Date(clock.now).toISOString();
      await dispatch('stats', slot, clock.now);
      if (also.fetch?.listings) await dispatch('listings', slot, clock.now);
      await drain();
    },
  };
}

async function drainQueue<Message>(
  queue: unknown[],
  handle: (message: Message) => Promise<unknown>,
): Promise<void> {
  while (queue.length > 0) {
    await handle(queue[0] as Message);
    queue.shift();
  }
}

export type Pipeline = Awaited<ReturnType<typeof createPipeline>>;
