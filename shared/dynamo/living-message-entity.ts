// A living message as stored in the Watchlist table: those of an event share a partition, those of one of its
// feeds are neighbours.
import { Entity } from 'dynamodb-toolbox/entity';
import { type EpisodeState, episodeKinds } from '#shared/delivery/episodes/living-message.ts';
import type { FeedKind } from '#shared/polling/feed-kinds.ts';
import { needed, optionalTime, orElse } from './attribute-readings.ts';
import { livingMessageSchema } from './schemas/living-message-schema.ts';
import { leniently } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** The partition of an event's living messages. */
export function livingPartition(eventId: number): string {
  return `EVENT#${eventId}#LIVING`;
}

/** The beginning of the sort keys of one feed's. */
export function livingPrefix(feedKind: FeedKind): string {
  return `${feedKind}#`;
}

export function createLivingMessageEntity(table: WatchlistTable) {
  return new Entity({
    name: 'livingMessage',
    table,
    timestamps: false,
    schema: livingMessageSchema,
    computeKey: ({ eventId, feedKind, triggerId, generation, channelId }) => ({
      pk: livingPartition(eventId),
      sk: `${livingPrefix(feedKind)}${triggerId}#${generation}#${channelId}`,
    }),
  });
}

export type LivingMessageEntity = ReturnType<typeof createLivingMessageEntity>;

/** How stored living messages are parsed, with defaults for damaged fields. */
export function livingMessageReading(living: LivingMessageEntity) {
  return leniently(living, {
    shows: needed(isState),
    editedAt: optionalTime,
    failures: orElse(0),
    dueAt: orElse(0),
  });
}

function isState(value: unknown): boolean {
  const { kind, value: number, at } = (value ?? {}) as Partial<EpisodeState>;
  const isKnown = episodeKinds.some((known) => known === kind);
  return isKnown && (number === null || Number.isFinite(number)) && Number.isFinite(at);
}
