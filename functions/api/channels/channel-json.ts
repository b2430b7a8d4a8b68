// Channels as JSON: how they are set and how they do. Never a receiver's URL, never a secret.
import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { ChannelHealth } from '#shared/alerts/delivery/channel-health.ts';
import { type Channel, channelKinds, channelStatuses } from '#shared/watchlist/channel.ts';

export const channelJsonSchema = z
  .object({
    id: z.string(),
    kind: z.enum(channelKinds),
    name: z.string().nullable(),
    address: z.string().optional().meta({ description: 'Of an e-mail channel' }),
    host: z
      .string()
      .optional()
      .meta({ description: 'Of all others; the URL itself is write-only' }),
    status: z.enum(channelStatuses),
    disabled_reason: z.string().nullable(),
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
      description: 'Signs a webhook’s deliveries. Shown here and never again',
    }),
  })
  .meta({ id: 'ChannelWithSecret' });

export function channelJson(
  channel: Channel,
  health?: ChannelHealth,
): z.infer<typeof channelJsonSchema> {
  const { channelId, target, status, name, disabledReason, fallbackChannelId } = channel;
  return {
    id: channelId,
    kind: target.kind,
    name: name ?? null,
    ...(target.kind === 'email' ? { address: target.address } : { host: new URL(target.url).host }),
    status,
    disabled_reason: disabledReason ?? null,
    immediate: channel.isImmediate,
    stale_alerts: channel.staleAlerts,
    fallback_channel: fallbackChannelId ?? null,
    failing_since: isoOrNull(health?.failingSince),
    failures: health?.failures ?? 0,
    last_failure_reason: health?.lastReason ?? null,
    created_at: channel.createdAt,
  };
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
