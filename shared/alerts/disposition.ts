// What was decided about one alert and one channel when the alert fired. Decided once: whoever does the
// work again after a crash goes on from the first decision, however late that is.
import type { HoldReason } from '#shared/delivery/message/message-kinds.ts';

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

/** The place of an alert that has no channel to go to. */
export const noChannel = 'none';

/** The decision about one alert and one channel. Times are epoch milliseconds. */
export interface Disposition {
  alertId: string;
  channelId: string;
  kind: 'send' | 'hold' | 'unsent';
  /** Absent when it is sent at once. */
  reason?: HoldReason | UnsentReason | undefined;
  /** The delivery that the alert joins; absent when it joins none. */
  deliveryId?: string | undefined;
  decidedAt: number;
  /** When that delivery is due. */
  dueAt: number;
}
