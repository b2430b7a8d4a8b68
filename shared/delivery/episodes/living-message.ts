// A living message: a sent alert whose message is changed in its place while its episode lasts, on channels
// whose kind can do that. Plain values; the store writes them, episode-state.ts decides what they show.
import * as z from 'zod';
import { type FeedKind, feedKindSchema } from '#shared/polling/feed-kinds.ts';
import { mainTriggerIdOf } from '#shared/rules/further-trigger-id.ts';
import { feedKindOf, parseSeries } from '#shared/rules/series.ts';
import { FURTHER_GENERATIONS } from '#shared/rules/transitions.ts';
import { overAt } from '#shared/watchlist/event-facts.ts';
import { type Alert, generationOf } from '../../alerts/alert.ts';
import type { HoldReason } from '../message/message-kinds.ts';
import type { PriceMovement } from '../message/price-movement.ts';

/**
 * What the market did since an alert. `reached`: nothing to add. `new_low`: for a rule about rises, a new
 * high. `went_back`: past the rearm level, or behind what the alert told. `listing_gone`: the alert's
 * listing is no longer for sale. `bought`: its owner has told us of a purchase.
 */
export const episodeKinds = [
  'reached',
  'new_low',
  'went_back',
  'listing_gone',
  'event_over',
  'bought',
] as const;

/** What a living message shows. */
export interface EpisodeState {
  kind: (typeof episodeKinds)[number];
  /** In the unit of the metric; of `listing_gone`, the cheapest match that is left. Null if there is none. */
  value: number | null;
  /** When the market had the value, when the event began or when the purchase was told; epoch milliseconds. */
  at: number;
}

/** The episode of a rule that an alert belongs to: from one arming of its main trigger to the next. */
export interface Episode {
  /** The main trigger. */
  triggerId: string;
  generation: number;
}

/** Times are epoch milliseconds. */
export interface LivingMessage extends Episode {
  eventId: number;
  /** The feed whose snapshots change it. */
  feedKind: FeedKind;
  channelId: string;
  ownerId: string;
  watchId: string;
  alertId: string;
  deliveryId: string;
  dueAt: number;
  /** The alert's own time: of two messages of one episode, the later alert's is the living one. */
  observedAt: number;
  /** The receiver's name for the message. */
  receipt: string;
  /** Why it was held back, and since when, epoch milliseconds. */
  held?: { reason: HoldReason; since: number };
  /** The values before the alert's, if the message told them. */
  moves?: PriceMovement;
  shows: EpisodeState;
  /** When the last edit began. */
  editedAt?: number | undefined;
  /** Edits in a row that failed. */
  failures: number;
  /** Grows with every write; each write is conditional on the version that was read. */
  version: number;
  expiresAtEpochSeconds: number;
}

/** A message of a send queue that asks for the edits of a feed's living messages. */
export const editRunMessageSchema = z.object({
  edits: z.object({
    eventId: z.int(),
    kind: feedKindSchema,
    /** Snapshots from this time on are new, epoch milliseconds. */
    from: z.int(),
    /** Only the messages of this watch, whose settings have changed. @default those that the snapshots change */
    watchId: z.string().optional(),
    /** Where a long list of messages goes on. */
    after: z.string().optional(),
    /** Runs in a row that left something undone and edited nothing. */
    tries: z.int().optional(),
  }),
});
export type EditRunMessage = z.infer<typeof editRunMessageSchema>;
export type EditRun = EditRunMessage['edits'];

/** A message is edited at most once in this time. */
export const editEveryMs = 60_000;

const dayMs = 86_400_000;
/** A message lives this long at most, and a day longer than its event. */
const longestLifeMs = 30 * dayMs;

/**
 * Whether later snapshots can change an alert's message. A change against the previous snapshot is over
 * with that snapshot; recoveries and alerts about missing data end something.
 */
export function hasEpisode({ role, series }: Pick<Alert, 'role' | 'series'>): boolean {
  if (role !== 'main' && role !== 'further') return false;
  const { transform } = parseSeries(series);
  return transform === null || !('baseline' in transform) || transform.baseline.of !== 'previous';
}

export function episodeOf(alert: Pick<Alert, 'alertId' | 'triggerId' | 'role'>): Episode {
  const generation = generationOf(alert);
  if (alert.role !== 'further') return { triggerId: alert.triggerId, generation };
  return {
    triggerId: mainTriggerIdOf(alert.triggerId),
    generation: Math.floor(generation / FURTHER_GENERATIONS),
  };
}

/** The message of an alert that was sent at `sentAt`. */
export function livingMessageOf(
  alert: Alert,
  sent: Pick<LivingMessage, 'channelId' | 'deliveryId' | 'dueAt' | 'receipt' | 'held' | 'moves'>,
  sentAt: number,
): LivingMessage {
  const { alertId, eventId, ownerId, watchId, observedAt, series, base } = alert;
  const endsAt = Math.min(overAt({ date: alert.eventDate }) + dayMs, sentAt + longestLifeMs);
  return {
    ...episodeOf(alert),
    ...{ eventId, feedKind: feedKindOf(series), ownerId, watchId, alertId, observedAt },
    ...sent,
    shows: { kind: 'reached', value: base, at: observedAt },
    failures: 0,
    version: 1,
    // A message after its event, such as a replay, still lives for a day.
    expiresAtEpochSeconds: Math.ceil(Math.max(endsAt, sentAt + dayMs) / 1_000),
  };
}
