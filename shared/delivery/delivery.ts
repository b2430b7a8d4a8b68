// A delivery: one message to one channel, and its transitions:
// pending → sending (a lease) → sent | unconfirmed | failed | suppressed | skipped | merged, or back to
// pending for a retry.
import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { channelKinds } from './channels/channels.ts';
import type { HoldReason, OwnerNotice } from './message/message-kinds.ts';

/** `notice` is about another channel; `confirmation` asks the reader of a mail address for consent. */
export const purposes = ['alert', 'test', 'notice', 'confirmation'] as const;

/**
 * `unconfirmed`: the receiver accepted the message, but we can't read its answer as success. `failed`: not
 * retried automatically. `suppressed`: must not be sent. `skipped`: its channel is switched off; kept for a
 * replay. `merged`: its alerts were moved to another delivery.
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

/** An alert of a delivery that its message leaves out, and why. */
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
  /** Why its alerts were held back; absent if they were not. */
  heldFor?: HoldReason | undefined;
  notice?: OwnerNotice;
  confirmUrl?: string | undefined;
  /** The channel that could not take the alerts; absent unless this delivery goes to a fallback. */
  fallbackFor?: string | undefined;
  /** The deliveries that sent its alerts to a fallback channel. */
  fellBackTo?: Set<string> | undefined;
  /** It failed because of a mistake of ours, which the operator must see. */
  isOurFault?: boolean | undefined;
  mergedInto?: string | undefined;
  status: DeliveryStatus;
  /** Attempts that count towards giving up; a delivery that was put off does not count. */
  attempts: number;
  /** The number of claims. Each write of a claim is conditional on it. */
  claims: number;
  createdAt: number;
  dueAt: number;
  /** Absent once the status is final. */
  nextAttemptAt?: number | undefined;
  lastReason?: string | undefined;
  sentAt?: number | undefined;
  /** When somebody last asked for a replay. */
  replayedAt?: number | undefined;
  leftOut?: LeftOut[] | undefined;
  log: AttemptEntry[];
  /** When the store may delete it; the store sets it. */
  expiresAtEpochSeconds?: number | undefined;
}

/** A message of the send queues: an id only, so that the sender reads the newest channel and alerts. */
export const deliveryMessageSchema = z.object({ deliveryId: z.string().min(1) });

/** The most alerts that one delivery may carry: 500 ids are 25 KB; DynamoDB allows 400 KB an item. */
export const alertsPerDelivery = 500;
/** Attempts that the log keeps: the whole retry schedule, twice. */
const loggedAttempts = 20;

/**
 * The id of a delivery to a channel, from the alert's id or the name of a group of alerts. It is the same on
 * every retry and replay of the pipeline. Receivers see it as `webhook-id` and X-Getin-Delivery; it has no full
 * stop.
 */
export function deliveryIdOf(subject: string, channelId: string): string {
  const digest = createHash('sha256').update(`${subject}/${channelId}`).digest('hex');
  return `dlv_${digest.slice(0, 32)}`;
}

/** A pending delivery without attempts. */
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

/** Adds an attempt to the log and drops the oldest entries over the limit. */
export function withAttempt(log: readonly AttemptEntry[], entry: AttemptEntry): AttemptEntry[] {
  return [...log, entry].slice(-loggedAttempts);
}

/**
 * Whether the receiver may have got the message from an earlier attempt than the current one. It has not if
 * every attempt was throttled. An attempt that counts and is not in the log ended with its sender: it may have
 * been sent.
 */
export function mayHaveArrived({ log, attempts }: Pick<Delivery, 'log' | 'attempts'>): boolean {
  return attempts > 1 || log.some(({ outcome }) => outcome !== 'throttled');
}
