// Two owners' webhooks in one queue, in virtual time: one receiver takes seconds per message and has a
// backlog, the other is fast. The queue, the slots and the attempts are the product's own, over real
// tables; only durations are simulated.
import { orderFairly } from '#infra/local/emulators/fair-queues.ts';
import { noSlot } from '#shared/delivery/sender-slots.ts';
import { aChannel, below80, createDeliveryRig, startMs } from './delivering.ts';
import { quantile } from './quantile.ts';
import type { TestTables } from './tables.ts';
import { VirtualTime } from './virtual-time.ts';

export interface TwoReceivers {
  /** Alerts of the slow receiver, all raised at the start; 0 for none. */
  slowAlerts: number;
  slowMs: number;
  quickAlerts: number;
  /** Time between two alerts of the fast receiver. */
  quickEveryMs: number;
  /** Parallel batches, and messages per batch: the values of send-webhook in infra/config.ts. */
  sender: { maxConcurrency: number; batchSize: number };
  /** Without them, the queue is in order of arrival and one receiver may occupy every sender. @default true */
  isFair?: boolean;
}

export interface TwoReceiversResult {
  quickP50Ms: number;
  quickP95Ms: number;
  quickArrived: number;
  /** Alerts that reached the slow receiver, in how many posts, and the time of the last one. */
  slowArrived: number;
  slowPosts: number;
  slowLastMs: number;
  /** Maximum number of parallel posts to the slow receiver, after its first one has been answered. */
  slowAtOnce: number;
  /** The same from the start, when the receiver's speed is unknown. */
  slowAtOnceAtFirst: number;
}

const quickMs = 50;
/** A sender's own time per message, besides waiting for the receiver. */
const workMs = 20;
/** How often an idle sender polls the queue. */
const pollMs = 10;
const slowOwner = `own_${'5'.repeat(32)}`;
const quickOwner = `own_${'9'.repeat(32)}`;

const hookOf = (digit: string, owner: string) =>
  aChannel({
    channelId: `ch_${digit.repeat(32)}`,
    ownerId: owner,
    isImmediate: true,
    target: { kind: 'webhook', url: `https://${digit}.example/hook`, secrets: [] },
  });

/** Runs until every alert has arrived. Each run needs fresh tables. */
export async function runTwoReceivers(
  { stores }: TestTables,
  asked: TwoReceivers,
): Promise<TwoReceiversResult> {
  const { sender, isFair = true } = asked;
  const time = new VirtualTime(startMs);
  const takeSlot = isFair ? stores.senderSlots : async () => noSlot;
  const rig = await createDeliveryRig(stores, { takeSlot });
  // The rig's clock is the virtual clock.
  Object.defineProperty(rig.clock, 'now', { get: () => time.now });
  const [slow, quick] = [hookOf('5', slowOwner), hookOf('9', quickOwner)];
  for (const channel of [slow, quick]) {
    const { ownerId } = channel;
    await stores.access.createOwner({ ownerId, name: 'owner', createdAt: slow.createdAt });
    await stores.channels.create(channel);
  }
  const raisedAt = new Map<string, number>();
  const quickWaits: number[] = [];
  const seen = { alerts: new Set<string>(), posts: 0, lastAt: 0, open: 0, most: 0, mostAtFirst: 0 };

  rig.sendWith(async ({ told }, { channelId }) => {
    const isSlow = channelId === slow.channelId;
    if (isSlow) {
      seen.open += 1;
      const isFirst = time.now < startMs + asked.slowMs;
      if (isFirst) seen.mostAtFirst = Math.max(seen.mostAtFirst, seen.open);
      else seen.most = Math.max(seen.most, seen.open);
    }
    await time.sleep(isSlow ? asked.slowMs : quickMs);
    for (const { alert } of told) {
      if (isSlow) seen.alerts.add(alert.alertId);
      else quickWaits.push(time.now - (raisedAt.get(alert.alertId) ?? time.now));
    }
    if (!isSlow) return { kind: 'sent' };
    seen.open -= 1;
    seen.posts += 1;
    seen.lastAt = time.now;
    return { kind: 'sent' };
  });

  const slowWatches = [];
  for (let each = 0; each < asked.slowAlerts; each += 1) {
    slowWatches.push(await rig.watch([below80], [slow.channelId], slowOwner));
  }
  for (const watch of slowWatches) await rig.fire(watch);
  const isDone = () =>
    quickWaits.length >= asked.quickAlerts && seen.alerts.size >= asked.slowAlerts;

  time.start(async () => {
    for (let each = 0; each < asked.quickAlerts; each += 1) {
      const watch = await rig.watch([below80], [quick.channelId], quickOwner);
      raisedAt.set(await rig.fire(watch), time.now);
      await time.sleep(asked.quickEveryMs);
    }
  });
  const inFlight = new Set<(typeof rig.queue)[number]>();
  const take = () => {
    const visible = rig.queue.filter(({ at }) => at <= time.now);
    const asMessage = (queued: (typeof rig.queue)[number], index: number) => ({
      ...{ queued, messageId: String(index), messageGroupId: queued.group },
    });
    const waiting = visible.map(asMessage);
    const held = [...inFlight].map(asMessage);
    const ordered = isFair ? orderFairly(waiting, held, sender.batchSize) : waiting;
    const batch = ordered.slice(0, sender.batchSize).map(({ queued }) => queued);
    for (const queued of batch) {
      rig.queue.splice(rig.queue.indexOf(queued), 1);
      inFlight.add(queued);
    }
    return batch;
  };
  const attemptOne = async (queued: (typeof rig.queue)[number]) => {
    await rig.attempt(queued.deliveryId);
    inFlight.delete(queued);
  };
  for (let each = 0; each < sender.maxConcurrency; each += 1) {
    time.start(async () => {
      while (!isDone()) {
        const batch = take();
        await time.sleep(batch.length > 0 ? workMs : pollMs);
        await together(
          time,
          batch.map((queued) => () => attemptOne(queued)),
        );
      }
    });
  }
  await time.run();
  return {
    quickP50Ms: quantile(quickWaits, 0.5),
    quickP95Ms: quantile(quickWaits, 0.95),
    quickArrived: quickWaits.length,
    slowArrived: seen.alerts.size,
    slowPosts: seen.posts,
    slowLastMs: seen.lastAt === 0 ? 0 : seen.lastAt - startMs,
    slowAtOnce: seen.most,
    slowAtOnceAtFirst: seen.mostAtFirst,
  };
}

/** Runs tasks in parallel as parts of one task that waits for all. */
async function together(time: VirtualTime, tasks: readonly (() => Promise<void>)[]): Promise<void> {
  let left = tasks.length;
  if (left === 0) return;
  for (const task of tasks) {
    time.start(async () => {
      await task();
      left -= 1;
    });
  }
  // Virtual time passes only when all tasks sleep, so a short sleep lets the others run.
  while (left > 0) await time.sleep(pollMs);
}
