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
import type { EditRun, EditRunMessage } from '#shared/delivery/episodes/living-message.ts';
import type { Prepared } from '#shared/delivery/prepare-message.ts';
import { noSlot } from '#shared/delivery/sender-slots.ts';
import { createLoadHistory } from '#shared/dynamo/history.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { sendersByKind } from '#shared/lambda/channel-senders.ts';
import { composeAttempt } from '#shared/lambda/compose-attempt.ts';
import { composeRunEdits } from '#shared/lambda/compose-edits.ts';
import type { OutgoingMessage, SendMessages } from '#shared/lambda/queue-sender.ts';
import type { StatsSnapshot } from '#shared/marketplace/reading/stats.ts';
import { costliest } from '#shared/polling/assumptions.ts';
import type { PollMessage } from '#shared/polling/feed.ts';
import { forEachFeedKind } from '#shared/polling/feed-kinds.ts';
import { snapshotFromStats } from '#shared/rules/snapshot.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import { type NewWatch, newWatchSchema } from '#shared/watchlist/watch-request.ts';
import { createFakeChat } from './fake-chat.ts';
import { type AfterStep, reportWrites } from './report-writes.ts';

export const ownerId = 'own_00000000000000000000000000000abc';
export const channelId = 'ch_00000000000000000000000000000abc';
export const eventId = 4711;
/** The start time of every pipeline. */
export const startMs = Date.parse('2026-03-01T12:00:00Z');
const minuteMs = 60_000;
const chatTarget = { kind: 'discord', url: 'https://discord.com/api/webhooks/1/token' } as const;

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
  /** The channel is a chat whose messages can be edited, and not a mail address. */
  isChat?: boolean;
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
  const chat = createFakeChat(clock);
  const queues = { poll: [] as unknown[], evaluate: [] as unknown[], email: [] as unknown[] };
  /** Runs of edits, with the times when they can be received. */
  const edits: { edits: EditRun; at: number }[] = [];
  const into =
    (name: keyof typeof queues): SendMessages =>
    async (messages: readonly OutgoingMessage[]) => {
      queues[name].push(...messages.map(({ body }) => body));
      afterStep(`send to ${name}`);
    };
  const toSender: SendMessages = async (messages) => {
    const [runs, deliveries] = [true, false].map((wanted) =>
      messages.filter(({ body }) => 'edits' in Object(body) === wanted),
    );
    for (const { body, delaySeconds = 0 } of runs ?? []) {
      edits.push({ ...(body as EditRunMessage), at: clock.now + delaySeconds * 1_000 });
      afterStep('send to edits');
    }
    if (deliveries && deliveries.length > 0) await into('email')(deliveries);
  };
  const senders = sendersByKind({ email: toSender, webhook: toSender });
  const facts = { now: () => clock.now, remainingMs: () => 60_000 };

  if (!(await plainStores.channels.find(channelId))) {
    await plainStores.channels.create({
      channelId,
      ownerId,
      target: also.isChat ? chatTarget : { kind: 'email', address: 'ann@example.com' },
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
    buyLinks: [],
    stores,
    senders,
    takeSlot: async () => noSlot,
    takeTurn: async () => undefined,
    send: async (prepared, channel, delivery) => {
      await onSend(prepared, channel, delivery);
      const { told } = prepared;
      sent.push(...told.map(({ alert }) => ({ alert, delivery })));
      return also.isChat ? { kind: 'sent', receipt: chat.post(told) } : { kind: 'sent' };
    },
    random: () => 0,
  });
  const runEdits = composeRunEdits({
    ...{ stores, senders },
    takeSlot: async () => noSlot,
    takeTurn: async () => undefined,
    sendEdit: chat.edit,
    buyLinks: [],
    wait: async () => {},
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
    await drainEdits();
  }

  /** Makes the runs of edits that can be received now. A run leaves the queue only after it was made. */
  async function drainEdits(): Promise<void> {
    for (let due = dueEdit(); due !== undefined; due = dueEdit()) {
      await runEdits(due.edits, facts);
      edits.splice(edits.indexOf(due), 1);
    }
  }

  const dueEdit = () => edits.find(({ at }) => at <= clock.now);

  return {
    chat,
    edits,
    /** The queue of the runs of edits. */
    sendEdits: toSender,
    /** Time passes until no run of edits is left to make. */
    async settleEdits(): Promise<void> {
      for (let rounds = 0; edits.length > 0; rounds += 1) {
        if (rounds > 100) throw new Error('the edits do not come to an end');
        clock.now = Math.max(clock.now, Math.min(...edits.map(({ at }) => at)));
        await drainEdits();
      }
    },
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
    reconcile: async () => reconcile((await readFleet(stores.feeds, clock.now)).active, clock.now),
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
    /** Time passes, and a snapshot with a get-in is stored and evaluated, without dispatch and poll. */
    async see(getIn: number | null, afterMs = minuteMs): Promise<void> {
      clock.now += afterMs;
      const seen = snapshotFromStats(event, aSnapshot(clock.now, getIn));
      await plainStores.snapshots.createAll([seen], clock.now);
      await evaluate({ eventId: event, kind: 'stats' }, crypto.randomUUID(), facts);
      await drain();
    },
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
