// Sends one mail through SES.
import { type SESClient, SESServiceException, SendRawEmailCommand } from '@aws-sdk/client-ses';
import type { Send } from '#shared/delivery/attempt.ts';
import { mailTags } from '#shared/delivery/mail-tags.ts';
import { renderMail } from '#shared/delivery/outbound/mail.ts';
import type { SendOutcome } from '#shared/delivery/send-outcome.ts';
import { suppressedFailure } from '#shared/delivery/suppression.ts';

/** SES's errors for a message that it will never accept; any other error may pass. */
const refusals = new Set(['MessageRejected', 'InvalidParameterValue']);
const throttles = new Set(['Throttling', 'ThrottlingException', 'TooManyRequestsException']);

interface SendEmailDeps {
  client: Pick<SESClient, 'send'>;
  /** The From address, verified with SES. */
  sender: string;
  /** The SES configuration set that reports bounces and complaints; undefined for none. */
  configurationSet: string | undefined;
  /** Why an address is suppressed; undefined if it may get mail. */
  suppressionReason: (address: string) => Promise<string | undefined>;
}

/** One recipient per call, so that one recipient's fault does not affect another. */
export function createSendEmail(deps: SendEmailDeps): Send {
  const { client, sender, configurationSet } = deps;
  return async function sendEmail({ message, told }, { channelId, target }, delivery) {
    if (target.kind !== 'email') return { kind: 'failed', reason: 'not_an_email_channel' };
    const { address } = target;
    const { deliveryId, dueAt } = delivery;
    const suppressed = await deps.suppressionReason(address);
    if (suppressed)
      return {
        kind: 'failed',
        reason: suppressedFailure({ reason: suppressed }),
        channelIs: 'gone',
      };
    const mime = await renderMail({
      from: sender,
      to: address,
      deliveryId,
      message,
      date: new Date(told[0]?.alert.firedAt ?? dueAt),
    });
    try {
      await client.send(
        new SendRawEmailCommand({
          Source: sender,
          Destinations: [address],
          RawMessage: { Data: mime },
          ConfigurationSetName: configurationSet,
          Tags: mailTags({ channelId, deliveryId }),
        }),
      );
      return { kind: 'sent' };
    } catch (error) {
      return judgeFault(error);
    }
  };
}

/**
 * A fault of SES or of our account says nothing about the address. A permanently refused mail is
 * our own fault, unless SES can't parse the address.
 */
function judgeFault(error: unknown): SendOutcome {
  const name = error instanceof Error ? error.name : 'unknown_error';
  const isThrottle = throttles.has(name) || /sending rate exceeded/i.test(String(error));
  if (isThrottle) return { kind: 'throttled', reason: 'ses_throttling' };
  const isRefused = error instanceof SESServiceException && refusals.has(name);
  if (!isRefused) return { kind: 'retry', reason: name, isOurs: true };
  const isAddress = name === 'InvalidParameterValue' && /\baddress\b/i.test(error.message);
  return isAddress
    ? { kind: 'failed', reason: 'address_refused' }
    : { kind: 'failed', reason: name, isOurs: true };
}
