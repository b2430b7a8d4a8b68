// A channel: one place that an owner's alerts are sent to, as it is stored and as the API changes it.
import {
  any,
  boolean,
  type FormattedValue,
  item,
  number,
  record,
  string,
} from 'dynamodb-toolbox/schema';
import * as z from 'zod';
import { channelSettings, channelStatuses } from '#shared/watchlist/channel.ts';
import type { ChannelTarget } from './channels/channels.ts';
import { receiverUrl } from './channels/url-target.ts';

/**
 * `isImmediate`: alerts go at once, whatever the owner's quiet hours and digest. `staleAlerts`: what
 * becomes of an alert that could not be sent for six hours. `watchesSilentUntil`: watches that this
 * channel hears nothing of until a time (epoch ms; `forever` for good).
 */
export const channelSchema = item({
  channelId: string().key(),
  ownerId: string(),
  name: string().optional(),
  target: any().castAs<ChannelTarget>(),
  status: string().enum(...channelStatuses),
  disabledReason: string().optional(),
  isImmediate: boolean(),
  staleAlerts: string().enum('send', 'drop'),
  fallbackChannelId: string().optional(),
  watchesSilentUntil: record(string(), number()),
  stopUrl: string(),
  createdAt: string(),
  /** Grows with every change of its settings or its status. */
  revision: number().optional(),
});

export type Channel = FormattedValue<typeof channelSchema>;

/** The body of `PATCH /v1/channels/{id}`; what is absent stays. */
export const channelChangeSchema = z
  .strictObject({
    name: channelSettings.name.nullable(),
    immediate: channelSettings.immediate,
    stale_alerts: channelSettings.stale_alerts,
    fallback_channel: channelSettings.fallback_channel.nullable(),
    url: receiverUrl,
    status: z.enum(['disabled']).meta({
      description: 'disabled switches the channel off; a test that arrives switches it on again',
    }),
  })
  .partial()
  .meta({ id: 'ChannelChange' });

export type ChannelChange = z.infer<typeof channelChangeSchema>;
