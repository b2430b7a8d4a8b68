// Sends one alert's mail through SES.
import { type SESClient, SESServiceException, SendRawEmailCommand } from '@aws-sdk/client-ses';
import type { Alert } from '#shared/alerts/alert.ts';
import type { Delivery, SendOutcome } from '#shared/alerts/delivery.ts';
import { renderAlertMail } from '#shared/alerts/email.ts';
import { composeMessage } from '#shared/alerts/message.ts';
import type { Channel } from '#shared/watchlist/channel.ts';

/** What SES answers to a message that it will never take; anything else may pass next time. */
const permanentFaults = new Set(['MessageRejected', 'InvalidParameterValue']);

/** @param sender the From address, verified with SES. */
export function createSendEmail(client: Pick<SESClient, 'send'>, sender: string) {
  return async function sendEmail(
    alert: Alert,
    { target }: Channel,
    { deliveryId }: Delivery,
  ): Promise<SendOutcome> {
    if (target.kind !== 'email') return { kind: 'failed', reason: 'not_an_email_channel' };
    const mime = await renderAlertMail({
      from: sender,
      to: target.address,
      deliveryId,
      message: composeMessage(alert),
      date: new Date(alert.firedAt),
    });
    try {
      await client.send(
        new SendRawEmailCommand({
          Source: sender,
          Destinations: [target.address],
          RawMessage: { Data: mime },
        }),
      );
      return { kind: 'sent' };
    } catch (error) {
      const name = error instanceof SESServiceException ? error.name : (error as Error).name;
      return { kind: permanentFaults.has(name) ? 'failed' : 'retry', reason: name };
    }
  };
}
