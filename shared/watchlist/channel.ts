// The watchlist's part of a channel: its settings and its status. shared/delivery owns its target and the
// sending.
import * as z from 'zod';
import { latestMoment } from '../moment.ts';
import { idSchema } from './id.ts';

/**
 * `unverified`: an e-mail address that is not confirmed. `disabled`: switched off by its owner or after
 * failures; its alerts are kept. `unsubscribed`: its reader wants no more messages.
 */
export const channelStatuses = ['unverified', 'active', 'disabled', 'unsubscribed'] as const;
export type ChannelStatus = (typeof channelStatuses)[number];

/** A watch that is muted on a channel without an end. */
export const forever = latestMoment;

/** In place of a watch's id: all watches. */
export const everyWatch = '*';

/** Until when the reader wants no alerts of a watch on a channel: epoch milliseconds, 0 or a past time if none. */
export function silentUntil(
  { watchesSilentUntil }: { watchesSilentUntil: Readonly<Record<string, number>> },
  watchId: string,
): number {
  return Math.max(watchesSilentUntil[watchId] ?? 0, watchesSilentUntil[everyWatch] ?? 0);
}

/** The settings of every kind of channel. */
export const channelSettings = {
  name: z.string().trim().min(1).max(100),
  immediate: z.boolean().meta({
    description:
      'Alerts ignore quiet hours and the digest. Default: true for webhooks (machines read them), false for all other kinds.',
  }),
  stale_alerts: z.enum(['send', 'drop']).meta({
    description:
      'What to do with an alert that could not be sent for six hours: send it with its age, or drop it',
  }),
  fallback_channel: idSchema('channel').meta({
    description:
      'The channel that gets the alerts when this one refuses them, or when urgent ones could not be sent for 15 minutes',
  }),
};

/** The settings of a new channel, with defaults. */
export const newChannelSettings = {
  name: channelSettings.name.optional(),
  immediate: channelSettings.immediate.optional(),
  stale_alerts: channelSettings.stale_alerts.default('send'),
  fallback_channel: channelSettings.fallback_channel.optional(),
};
