// What was decided about one alert and one channel when the alert fired. Decided once: whoever does the
// work again after a crash goes on from the first decision, however late that is.
import { type FormattedValue, item, number, string } from 'dynamodb-toolbox/schema';
import { holdReasons } from '../delivery/message/message-kinds.ts';

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

/** `deliveryId` is the delivery that the alert joins; `dueAt` when that is sent, epoch milliseconds. */
export const dispositionSchema = item({
  alertId: string().key(),
  channelId: string().key(),
  kind: string().enum('send', 'hold', 'unsent'),
  reason: string()
    .enum(...holdReasons, ...unsentReasons)
    .optional(),
  deliveryId: string().optional(),
  decidedAt: number(),
  dueAt: number(),
});

export type Disposition = FormattedValue<typeof dispositionSchema>;
