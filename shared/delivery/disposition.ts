// The decision about one alert and one channel when the alert fired. It is made once: a retry after a crash
// uses the first decision, however late the retry is.
import type { HoldReason } from './message/message-kinds.ts';

export const unsentReasons = [
  'snoozed',
  'muted',
  'cap',
  'no_channel',
  'channel_disabled',
  'channel_unsubscribed',
] as const;
/** Why an alert was not sent to a channel at all. */
export type UnsentReason = (typeof unsentReasons)[number];

/** Stands for the channel id of an alert without channels. */
export const noChannel = 'none';

/** The decision about one alert and one channel. Times are epoch milliseconds. */
export interface Disposition {
  alertId: string;
  channelId: string;
  kind: 'send' | 'hold' | 'unsent';
  /** Absent if the alert is sent at once. */
  reason?: HoldReason | UnsentReason | undefined;
  /** The delivery that the alert joins; absent if there is none. */
  deliveryId?: string | undefined;
  decidedAt: number;
  /** When the delivery is due. */
  dueAt: number;
  /** When the store may delete it; the store sets it. */
  expiresAtEpochSeconds?: number | undefined;
}
