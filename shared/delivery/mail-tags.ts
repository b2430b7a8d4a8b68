// The tags of a mail, which tell its channel and delivery when SES reports about it (mail-event.ts).

export const channelTag = 'channel';
export const deliveryTag = 'delivery';

/** The tags of a mail; its SES events repeat them. SES allows letters, digits, _ and -. */
export function mailTags(mail: { channelId: string; deliveryId: string }) {
  return [
    { Name: channelTag, Value: mail.channelId },
    { Name: deliveryTag, Value: mail.deliveryId },
  ];
}
