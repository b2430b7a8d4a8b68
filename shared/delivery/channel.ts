// A channel: one address that an owner's alerts are sent to, as it is stored and as the API changes it.
import * as z from 'zod';
import { channelSettings, type channelStatuses } from '#shared/watchlist/channel.ts';
import type { ChannelTarget } from './channels/channels.ts';
import { receiverUrl } from './channels/url-target.ts';
import { payloadVersionSchema, payloadVersionWords } from './message/webhook-payload.ts';

/** A channel with its settings. */
export interface Channel {
  channelId: string;
  ownerId: string;
  name?: string | undefined;
  target: ChannelTarget;
  status: (typeof channelStatuses)[number];
  /** Absent while the channel is not disabled. */
  disabledReason?: string | undefined;
  /** Sends alerts at once; the owner's quiet hours and digest do not apply. */
  isImmediate: boolean;
  /** What to do with an alert that could not be sent for six hours. */
  staleAlerts: 'send' | 'drop';
  fallbackChannelId?: string | undefined;
  /** By watch id, or `everyWatch`: this channel gets no alert of it until then (epoch ms, or `forever`). */
  watchesSilentUntil: Record<string, number>;
  stopUrl: string;
  /** ISO 8601. */
  createdAt: string;
  /** Grows with every change of its settings or its status. */
  revision?: number | undefined;
}

/** The body of `PATCH /v1/channels/{id}`; absent fields stay unchanged. */
export const channelChangeSchema = z
  .strictObject({
    name: channelSettings.name.nullable(),
    immediate: channelSettings.immediate,
    stale_alerts: channelSettings.stale_alerts,
    fallback_channel: channelSettings.fallback_channel.nullable(),
    url: receiverUrl,
    payload_version: payloadVersionSchema.meta({ description: payloadVersionWords }),
    status: z.enum(['disabled']).meta({
      description: 'disabled switches the channel off; a test that arrives switches it on again',
    }),
  })
  .partial()
  .meta({ id: 'ChannelChange' });

export type ChannelChange = z.infer<typeof channelChangeSchema>;
