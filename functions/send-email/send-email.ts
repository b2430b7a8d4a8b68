// Sends one mail through SES.
import { type SESClient, SESServiceException, SendRawEmailCommand } from '@aws-sdk/client-ses';
import type { Send } from '#shared/delivery/attempt.ts';
import { mailTags } from '#shared/delivery/mail-event.ts';
import { renderMail } from '#shared/delivery/outbound/mail.ts';
import type { SendOutcome } from '#shared/delivery/send-outcome.ts';
import { suppressedFailure } from '#shared/delivery/suppression.ts';

/** What SES answers to a message that it will never take; anything else may pass next time. */
const refusals = new Set(['MessageRejected', 'InvalidParameterValue']);
const throttles = new Set(['Throttling', 'ThrottlingException', 'TooManyRequestsException']);

interface SendEmailDeps {
  client: Pick<SESClient, 'send'>;
  /** The From address, verified with SES. */
  sender: string;
  /** Whose events tell of bounces and complaints; undefined for none. */
  configurationSet: string | undefined;
  /** Why no mail goes to an address any more; undefined when it may. */
  suppressionReason: (address: string) => Promise<string | undefined>;
}

/** One recipient a call, so that one's fault is never another's. */
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
 * A fault of SES or of our account says nothing about the address. A mail that is refused for good is a
 * mistake of ours, unless it is the address that SES can't read.
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
