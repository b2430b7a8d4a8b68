// Channels as JSON: settings and health. Never a receiver's URL, never a secret.
import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Channel } from '#shared/delivery/channel.ts';
import type { ChannelHealth } from '#shared/delivery/channel-health.ts';
import { channelKinds } from '#shared/delivery/channels/channels.ts';
import { payloadVersionOf } from '#shared/delivery/channels/webhook.ts';
import { hostOf } from '#shared/delivery/message/channel-title.ts';
import {
  payloadVersionSchema,
  payloadVersionWords,
} from '#shared/delivery/message/webhook-payload.ts';
import {
  type Suppression,
  suppressedSince,
  suppressionEnds,
  suppressionReason,
  suppressionReasons,
  suppressionWords,
} from '#shared/delivery/suppression.ts';
import { channelStatuses, everyWatch, forever } from '#shared/watchlist/channel.ts';

export const channelJsonSchema = z
  .object({
    id: z.string(),
    kind: z.enum(channelKinds),
    name: z.string().nullable(),
    address: z.string().optional().meta({ description: 'The address of an e-mail channel' }),
    host: z.string().optional().meta({
      description: 'The host of the URL, for all other kinds; the URL itself is write-only',
    }),
    payload_version: payloadVersionSchema.optional().meta({ description: payloadVersionWords }),
    status: z.enum([...channelStatuses, 'suppressed']).meta({
      description:
        'unverified: the address is not confirmed; disabled: switched off, its alerts are kept for a replay; unsubscribed: the reader has unsubscribed; suppressed: no mail can be sent to the address, see `blocked`',
    }),
    disabled_reason: z.string().nullable(),
    blocked: z
      .object({
        reason: z.enum(suppressionReasons),
        since: z.iso.datetime(),
        text: z
          .string()
          .meta({ description: 'Why no mail can be sent to the address, in a sentence' }),
        ends: z.string().meta({ description: 'Who can lift the block, and how' }),
      })
      .nullable()
      .meta({ description: 'Why no mail can be sent to the address; null if mail can be sent' }),
    snoozed_until: z.iso.datetime().nullable().meta({
      description:
        'Until then the reader wants no alerts on this channel; they are recorded and not sent. POST /v1/channels/{id}/unmute undoes it',
    }),
    muted_watches: z
      .array(
        z.object({
          watch: z.string(),
          until: z.iso.datetime().nullable().meta({ description: 'null: without an end' }),
        }),
      )
      .meta({
        description:
          'Watches whose alerts the reader has stopped or snoozed on this channel; POST /v1/channels/{id}/unmute undoes it',
      }),
    immediate: z.boolean(),
    stale_alerts: z.enum(['send', 'drop']),
    fallback_channel: z.string().nullable(),
    failing_since: z.iso.datetime().nullable(),
    failures: z.int().meta({ description: 'In a row' }),
    last_failure_reason: z.string().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Channel' });

export const newChannelJsonSchema = channelJsonSchema
  .extend({
    secret: z.string().optional().meta({
      description: 'The secret that signs a webhook’s deliveries; shown only here',
    }),
  })
  .meta({ id: 'ChannelWithSecret' });

/** The state of a channel beside its settings; `now` is epoch milliseconds. */
export interface ChannelState {
  health: ChannelHealth | undefined;
  suppression: Suppression | undefined;
  now: number;
}

export function channelJson(
  channel: Channel,
  { health, suppression, now }: ChannelState,
): z.infer<typeof channelJsonSchema> {
  const { channelId, target, status, name, disabledReason, fallbackChannelId } = channel;
  return {
    id: channelId,
    kind: target.kind,
    name: name ?? null,
    ...('address' in target ? { address: target.address } : { host: hostOf(target.url) }),
    ...('secrets' in target && { payload_version: payloadVersionOf(target) }),
    status: suppression ? 'suppressed' : status,
    disabled_reason: disabledReason ?? null,
    blocked: suppression ? blockedJson(suppression) : null,
    snoozed_until: snoozedJson(channel, now),
    muted_watches: mutedJson(channel, now),
    immediate: channel.isImmediate,
    stale_alerts: channel.staleAlerts,
    fallback_channel: fallbackChannelId ?? null,
    failing_since: isoOrNull(health?.failingSince),
    failures: health?.failures ?? 0,
    last_failure_reason: health?.lastReason ?? null,
    created_at: channel.createdAt,
  };
}

function blockedJson(suppression: Suppression) {
  const words = suppressionWords(suppression);
  return {
    reason: suppressionReason(suppression),
    since: new Date(suppressedSince(suppression)).toISOString(),
    text: `No mail can be sent to this address, because ${words}.`,
    ends: suppressionEnds(suppression),
  };
}

function snoozedJson({ watchesSilentUntil }: Channel, now: number): string | null {
  const until = watchesSilentUntil[everyWatch] ?? 0;
  return until > now ? isoOrNull(until) : null;
}

function mutedJson({ watchesSilentUntil }: Channel, now: number) {
  return Object.entries(watchesSilentUntil)
    .filter(([watch, until]) => watch !== everyWatch && until > now)
    .map(([watch, until]) => ({ watch, until: until >= forever ? null : isoOrNull(until) }));
}

/** The version of a channel's settings, as an ETag names it. */
export function channelVersion(channel: Channel): string {
  const { target, status, name, isImmediate, staleAlerts, fallbackChannelId, revision } = channel;
  const settings = [target, status, name, isImmediate, staleAlerts, fallbackChannelId, revision];
  return createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 16);
}

function isoOrNull(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}
