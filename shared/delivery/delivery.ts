// A delivery: one message on its way to one channel, and the moves it may make.
// pending → sending (a lease) → sent | unconfirmed | failed | suppressed | skipped | merged, or back to
// pending for another try.
import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { channelKinds } from './channels/channels.ts';
import type { HoldReason, OwnerNotice } from './message/message-kinds.ts';

/** `notice` tells of another channel; `confirmation` asks an address whether it wants mail at all. */
export const purposes = ['alert', 'test', 'notice', 'confirmation'] as const;

/**
 * `unconfirmed`: the receiver took it and said something that we can't read as success. `failed`: it
 * will not be tried again by itself. `suppressed`: it was not to be sent. `skipped`: its channel is
 * switched off; kept for a replay. `merged`: its alerts went on in another delivery.
 */
export const deliveryStatuses = [
  'pending',
  'sending',
  'sent',
  'unconfirmed',
  'failed',
  'suppressed',
  'skipped',
  'merged',
] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];
export type FinalStatus = Exclude<DeliveryStatus, 'pending' | 'sending'>;

/** One attempt, as the log shows it. `excerpt` is the start of the receiver's answer. */
export interface AttemptEntry {
  at: number;
  outcome: string;
  reason?: string | undefined;
  httpStatus?: number | undefined;
  excerpt?: string | undefined;
  durationMs: number;
}

/** Alerts of a delivery that its message leaves out, and why. */
export interface LeftOut {
  alertId: string;
  reason: string;
}

/** The stored state of one delivery. Times are epoch milliseconds. */
export interface Delivery {
  deliveryId: string;
  purpose: (typeof purposes)[number];
  ownerId: string;
  channelId: string;
  channelKind: (typeof channelKinds)[number];
  alertIds?: Set<string> | undefined;
  isUrgent: boolean;
  /** Why its alerts were held back; absent when they were not. */
  heldFor?: HoldReason | undefined;
  notice?: OwnerNotice;
  confirmUrl?: string | undefined;
  /** The channel that could not take its alerts; absent unless this one is the fallback. */
  fallbackFor?: string | undefined;
  /** The deliveries by which its alerts went to a fallback channel. */
  fellBackTo?: Set<string> | undefined;
  /** It failed by a mistake of ours, which the operator must see. */
  isOurFault?: boolean | undefined;
  mergedInto?: string | undefined;
  status: DeliveryStatus;
  /** Counts what counts towards giving up. */
  attempts: number;
  /** Counts every claim, and guards the writes of each. */
  claims: number;
  createdAt: number;
  dueAt: number;
  /** Absent once it is final. */
  nextAttemptAt?: number | undefined;
  lastReason?: string | undefined;
  sentAt?: number | undefined;
  /** When it was last asked to be sent once more. */
  replayedAt?: number | undefined;
  leftOut?: LeftOut[] | undefined;
  log: AttemptEntry[];
}

/** What the send queues carry: an id only, so that the newest channel and alert are used. */
export const deliveryMessageSchema = z.object({ deliveryId: z.string().min(1) });
export type DeliveryMessage = z.infer<typeof deliveryMessageSchema>;

/** Alerts that one delivery may carry: 500 ids are 25 KB, far below DynamoDB's 400 KB an item. */
export const alertsPerDelivery = 500;
/** Attempts that the log keeps: the whole schedule and as many replays. */
const loggedAttempts = 20;

/**
 * The id of a delivery to a channel: of an alert's own, or of a group of alerts by the group's name. It
 * is the same on every retry and replay of the pipeline. Receivers see it as `webhook-id` and
 * Message-ID, so it holds no full stop.
 */
export function deliveryIdOf(subject: string, channelId: string): string {
  const digest = createHash('sha256').update(`${subject}/${channelId}`).digest('hex');
  return `dlv_${digest.slice(0, 32)}`;
}

/** A delivery that nobody has tried yet. */
export function newDelivery(
  of: Pick<Delivery, 'deliveryId' | 'purpose' | 'ownerId' | 'channelId' | 'channelKind'> &
    Partial<Delivery>,
  times: { now: number; dueAt?: number },
): Delivery {
  const dueAt = times.dueAt ?? times.now;
  return {
    isUrgent: false,
    status: 'pending',
    attempts: 0,
    claims: 0,
    log: [],
    ...of,
    createdAt: times.now,
    dueAt,
    nextAttemptAt: dueAt,
  };
}

/** The log with one more attempt; the oldest fall off. */
export function withAttempt(log: readonly AttemptEntry[], entry: AttemptEntry): AttemptEntry[] {
  return [...log, entry].slice(-loggedAttempts);
}

/** Whether a receiver may have got it: one that was only ever too busy has not. */
export function mayHaveArrived({ log }: Pick<Delivery, 'log'>): boolean {
  return log.some(({ outcome }) => outcome !== 'throttled');
}
