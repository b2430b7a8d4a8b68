// Deliveries over real tables, without a market: the test raises alerts, queues are arrays, the clock
// is the test's. The test decides the results of sends.

import { composeRaiseAlert } from '#functions/evaluate/compose-raise-alert.ts';
import { releaseDeliveries } from '#functions/reconcile/release-deliveries.ts';
import type { Alert } from '#shared/alerts/alert.ts';
import type { Send } from '#shared/delivery/attempt.ts';
import type { Channel } from '#shared/delivery/channel.ts';
import type { TakeTurn } from '#shared/delivery/pace.ts';
import type { Prepared } from '#shared/delivery/prepare-message.ts';
import type { SendOutcome } from '#shared/delivery/send-outcome.ts';
import { noSlot, type TakeSlot } from '#shared/delivery/sender-slots.ts';
import { shardCount } from '#shared/dynamo/shard.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { sendersByKind } from '#shared/lambda/channel-senders.ts';
import { composeAttempt } from '#shared/lambda/compose-attempt.ts';
import type { OutgoingMessage } from '#shared/lambda/queue-sender.ts';
import { compileRule } from '#shared/rules/compile.ts';
import { type Rule, ruleSchema } from '#shared/rules/language/rule.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import { fire, recoveryOf } from '#shared/rules/transitions.ts';
import { createTrigger, type Trigger } from '#shared/rules/trigger.ts';
import type { Watch } from '#shared/watchlist/watch.ts';

export const ownerId = 'own_00000000000000000000000000000abc';
export const eventId = 4711;
export const startMs = Date.parse('2026-03-01T12:00:00Z');

/** A message in a queue, and the time when it can be received. */
interface Queued {
  deliveryId: string;
  /** The owner whose backlog contains it. */
  group: string;
  at: number;
}

/** The input of a sender. */
export interface SentMessage extends Prepared {
  deliveryId: string;
  channelId: string;
  at: number;
}

export const below80 = { type: 'level', metric: 'get_in', at_or_below: 80 } as const;

/** A channel with default settings. */
export function aChannel(changes: Partial<Channel> = {}): Channel {
  return {
    channelId: 'ch_00000000000000000000000000000001',
    ownerId,
    target: { kind: 'slack', url: 'https://hooks.slack.com/services/T/B/X' },
    status: 'active',
    isImmediate: false,
    staleAlerts: 'send',
    watchesSilentUntil: {},
    stopUrl: 'https://getin.example/l/token',
    createdAt: new Date(startMs).toISOString(),
    ...changes,
  };
}

export async function createDeliveryRig(
  plain: Stores,
  {
    takeTurn = async () => undefined,
    takeSlot = async () => noSlot,
    afterStep = () => {},
    now = startMs,
  }: {
    takeTurn?: TakeTurn;
    takeSlot?: TakeSlot;
    afterStep?: (step: string) => void;
    now?: number;
  } = {},
) {
  const stores = reportWrites(plain, afterStep);
  const clock = { now };
  const queue: Queued[] = [];
  const sent: SentMessage[] = [];
  const watches: Watch[] = [];
  const triggers = new Map<string, Trigger>();
  const answers: SendOutcome[] = [];
  let sends: Send | undefined;

  const into = async (messages: readonly OutgoingMessage[]) => {
    for (const { body, group, delaySeconds = 0 } of messages) {
      const { deliveryId } = body as { deliveryId: string };
      queue.push({ deliveryId, group, at: clock.now + delaySeconds * 1_000 });
    }
    afterStep('send to queue');
  };
  const senders = sendersByKind({ email: into, webhook: into });
  const attempt = composeAttempt({
    buyLinks: [],
    stores,
    senders,
    takeSlot,
    takeTurn,
    send: async (prepared, channel, delivery) => {
      const { deliveryId, channelId } = delivery;
      sent.push({ ...prepared, deliveryId, channelId, at: clock.now });
      const outcome = (await sends?.(prepared, channel, delivery)) ?? answers.shift();
      afterStep('message accepted');
      return outcome ?? { kind: 'sent' };
    },
    random: () => 0,
  });
  const raise = composeRaiseAlert({
    stores,
    removeTrigger: async () => {},
    senders,
    onRaised: () => {},
  });

  /** No snapshots are stored here. */
  const noChart = async () => undefined;

  async function handleNext(): Promise<boolean> {
    const index = queue.findIndex(({ at }) => at <= clock.now);
    const message = queue[index];
    if (!message) return false;
    await attempt(message.deliveryId, () => clock.now);
    queue.splice(index, 1);
    return true;
  }

  const rig = {
    clock,
    queue,
    sent,
    stores: plain,
    /** The results of the next sends; later sends succeed. */
    answers,
    attempt: (deliveryId: string) => attempt(deliveryId, () => clock.now),
    /** Replaces the whole send function. */
    sendWith: (send: Send) => {
      sends = send;
    },

    /** Stores a watch with its rules and channels. */
    async watch(
      rules: readonly unknown[],
      channelIds: readonly string[],
      owner = ownerId,
    ): Promise<Watch> {
      const number = String(watches.length + 1).padStart(32, '0');
      const parsed = rules.map((rule) => ruleSchema.parse(rule));
      const watchRules = parsed.map((rule, index) =>
        ruleOf(rule, `${number.slice(0, -2)}${index}x`, `trg_${number}${index}`),
      );
      const watch: Watch = {
        watchId: `wat_${number}`,
        ownerId: owner,
        eventId,
        rules: watchRules,
        channelIds: [...channelIds],
        status: 'active',
        latencySeconds: 60,
        version: 1,
        createdAt: new Date(clock.now).toISOString(),
        updatedAt: new Date(clock.now).toISOString(),
      };
      await plain.watches.create(watch);
      watches.push(watch);
      return watch;
    },

    /** One rule of a watch fires at a get-in in dollars. For later firings, use `generation` 2 and so on. */
    async fire(
      watch: Watch,
      { value = 74, rule = 0, generation = 1, observedAt = clock.now - 1_000 } = {},
    ): Promise<string> {
      const trigger = { ...triggerOf(watch, rule, clock.now), generation };
      const { triggerId } = trigger;
      triggers.set(triggerId, trigger);
      const { firing } = fire(trigger, value * 100, { observedAt, base: value * 100 });
      const previous = { at: observedAt - 3_600_000, value: 9_000 };
      const news = { trigger, firing, alreadyTrue: false, previous, now: clock.now };
      await raise(news, noChart);
      return `alt_${triggerId.slice(4)}_${generation}`;
    },

    /** The get-in goes back, in dollars, after a firing at $74 a minute before. */
    async recover(watch: Watch, { value = 90, generation = 1 } = {}): Promise<string> {
      const observedAt = clock.now - 1_000;
      const trigger = { ...triggerOf(watch, 0, clock.now), generation };
      const { next } = fire(trigger, 7_400, { observedAt: observedAt - 60_000, base: 7_400 });
      const firing = recoveryOf(next, value * 100, { observedAt, base: value * 100 });
      if (!firing) throw new Error('the rule tells no recovery');
      const news = { trigger: next, firing, alreadyTrue: false, previous: null, now: clock.now };
      await raise(news, noChart);
      return `alt_${trigger.triggerId.slice(4)}_${generation}_r`;
    },

    /** Sets the market's get-in, in dollars, for alerts that are checked again. */
    async market(getIn: number): Promise<void> {
      const metrics = {
        get_in: getIn * 100,
        get_in_qty2plus: getIn * 100,
        avg_price: getIn * 100,
        median_price: getIn * 100,
        total_listings_active: 5,
        listing_fill_rate: 5_000,
      };
      const snapshot: MarketSnapshot = {
        feedKind: 'stats',
        eventId,
        observedAt: clock.now,
        metrics,
        zones: {},
      };
      await plain.snapshots.createAll([snapshot], clock.now);
    },

    /** Handles every message that is visible now. */
    async drain(): Promise<void> {
      let left = 500;
      while (left > 0 && (await handleNext())) left -= 1;
      if (left === 0) throw new Error('the queue does not come to an end');
    },

    /** Time passes in steps; in each step the queues are handled and reconcile runs. */
    async pass(ms: number, stepMs = 60_000): Promise<void> {
      const until = clock.now + ms;
      let reconciledAt = clock.now;
      while (clock.now < until) {
        const next = Math.min(
          ...queue.map(({ at }) => at).filter((at) => at > clock.now),
          clock.now + stepMs,
        );
        clock.now = Math.min(next, until);
        await rig.drain();
        if (clock.now - reconciledAt < Math.max(stepMs, 300_000) && clock.now < until) continue;
        reconciledAt = clock.now;
        await rig.reconcile();
      }
    },

    async reconcile(): Promise<number> {
      let released = 0;
      for (let shard = 0; shard < shardCount; shard += 1) {
        released += await releaseDeliveries(
          { deliveries: plain.deliveries, senders },
          shard,
          clock.now,
        );
      }
      await rig.drain();
      return released;
    },

    decisions: (alertId: string) => plain.dispositions.ofAlert(alertId),
    log: async () => (await plain.deliveries.list(ownerId, { limit: 200 })).rows.reverse(),
    alerts: async (): Promise<Alert[]> => (await plain.alerts.list(ownerId, { limit: 200 })).rows,
  };
  return rig;
}

function ruleOf(rule: Rule, id: string, triggerId: string) {
  return { ruleId: `rul_${id}`, rule, triggerIds: [triggerId] };
}

const reads = /^(find|list|newest|ofAlert|overdue|reasonFor)/;
const reported = [
  'access',
  'alerts',
  'channelHealth',
  'channels',
  'deliveries',
  'dispositions',
  'tallies',
];

/** The same stores; each method that writes calls back when the write is done. */
function reportWrites(stores: Stores, afterStep: (step: string) => void): Stores {
  const entries = Object.entries(stores).map(([name, store]) => {
    if (!reported.includes(name)) return [name, store] as const;
    const methods = Object.entries(store as Record<string, (...a: unknown[]) => Promise<unknown>>);
    const wrapped = methods.map(([method, call]) => {
      if (reads.test(method)) return [method, call] as const;
      const reporting = async (...args: unknown[]) => {
        const answer = await call(...args);
        afterStep(`${name}.${method}`);
        return answer;
      };
      return [method, reporting] as const;
    });
    return [name, Object.fromEntries(wrapped)] as const;
  });
  return Object.fromEntries(entries) as unknown as Stores;
}

function triggerOf(watch: Watch, rule: number, now: number): Trigger {
  const watchRule = watch.rules[rule];
  if (!watchRule) throw new Error('no such rule');
  const [spec] = compileRule(watchRule.rule);
  if (!spec) throw new Error('no trigger');
  const identity = {
    triggerId: `trg_${watch.watchId.slice(4)}${rule}`,
    ruleId: watchRule.ruleId,
    watchId: watch.watchId,
    ownerId: watch.ownerId,
    eventId,
  };
  return createTrigger(spec, identity, now);
}

export type DeliveryRig = Awaited<ReturnType<typeof createDeliveryRig>>;
