// Channels as JSON: settings and health. Never a receiver's URL, never a secret.
import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Channel } from '#shared/delivery/channel.ts';
import type { ChannelHealth } from '#shared/delivery/channel-health.ts';
import { channelKinds, shownTarget } from '#shared/delivery/channels/channels.ts';
import {
  payloadVersionSchema,
  payloadVersionWords,
} from '#shared/delivery/message/webhook-types.ts';
import {
  type Suppression,
  suppressedSince,
  suppressionEnds,
  suppressionReason,
  suppressionReasons,
  suppressionWords,
} from '#shared/delivery/suppression.ts';
import type { TelegramBot } from '#shared/delivery/telegram/bot.ts';
import { chatLinkUrls } from '#shared/delivery/telegram/chat-link.ts';
import { contentTypes } from '#shared/delivery/template/content-types.ts';
import { channelStatuses, everyWatch, forever } from '#shared/watchlist/channel.ts';

export const channelJsonSchema = z
  .object({
    id: z.string(),
    kind: z.enum(channelKinds),
    name: z.string().nullable(),
    address: z.string().optional().meta({ description: 'The address of an e-mail channel' }),
    host: z.string().optional().meta({
      description: 'The host that messages go to, for all other kinds; a URL itself is write-only',
    }),
    recipient: z.string().optional().meta({
      description:
        'Tells channels at one host apart, for kinds without a URL of their own. Of a secret, such as a key, it is only the start',
    }),
    payload_version: payloadVersionSchema.optional().meta({ description: payloadVersionWords }),
    header_names: z.array(z.string()).optional().meta({
      description: 'The names of a webhook’s own `headers`; their values are write-only',
    }),
    body_template: z.string().optional().meta({
      description: 'The template of a webhook’s bodies; absent if they have the standard form',
    }),
    content_type: z.enum(contentTypes).optional().meta({
      description: 'The type of the bodies that `body_template` makes',
    }),
    status: z.enum([...channelStatuses, 'suppressed']).meta({
      description:
        'unverified: the address is not confirmed, or no chat is linked; disabled: switched off, its alerts are kept for a replay; unsubscribed: the reader has unsubscribed; suppressed: no mail can be sent to the address, see `blocked`',
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

/** The link of a Telegram channel. */
export const chatLinkSchema = z
  .object({
    link_url: z.url().meta({
      description:
        'For a Telegram channel: its reader opens this address and presses “Start”; then alerts come to their chat with the bot. Works once',
    }),
    group_link_url: z.url().meta({
      description: 'The same for a group: its reader chooses a group, and the bot is added to it',
    }),
    link_expires_at: z.iso.datetime(),
  })
  .meta({ id: 'ChatLink' });

export function chatLinkJson(
  { username }: Pick<TelegramBot, 'username'>,
  { token, expiresAt }: { token: string; expiresAt: number },
): z.infer<typeof chatLinkSchema> {
  const { chat, group } = chatLinkUrls(username, token);
  const link_expires_at = new Date(expiresAt).toISOString();
  return { link_url: chat, group_link_url: group, link_expires_at };
}

export const newChannelJsonSchema = channelJsonSchema
  .extend({
    secret: z.string().optional().meta({
      description: 'The secret that signs a webhook’s deliveries; shown only here',
    }),
    ...chatLinkSchema.partial().shape,
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
    ...shownTarget(target),
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

/**
 * The version of a channel's settings, as an ETag names it. It has nothing of the target, so that nobody can try
 * out topics and keys on it; each change of the target makes a new revision.
 */
export function channelVersion(channel: Channel): string {
  const { status, name, isImmediate, staleAlerts, fallbackChannelId, revision } = channel;
  const settings = [status, name, isImmediate, staleAlerts, fallbackChannelId, revision];
  return createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 16);
}

function isoOrNull(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}
