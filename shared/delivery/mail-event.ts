// Reads SES's events of sent mails and decides what each means for the address: bounces, complaints,
// rejections. Decides only; functions/mail-feedback writes.
import * as z from 'zod';
import { channelTag, deliveryTag } from './mail-tags.ts';
import type { SuppressionReason } from './suppression.ts';

const recipients = z.array(
  z.object({
    emailAddress: z.string(),
    status: z.string().nullish(),
    diagnosticCode: z.string().nullish(),
  }),
);

const bounceSchema = z.object({
  bounceType: z.string(),
  bounceSubType: z.string(),
  bouncedRecipients: recipients,
  feedbackId: z.string(),
  timestamp: z.string().nullish().catch(undefined),
});

const complaintSchema = z.object({
  complainedRecipients: recipients,
  complaintFeedbackType: z.string().nullish(),
  feedbackId: z.string(),
  timestamp: z.string().nullish().catch(undefined),
});

/** An SES event. Unknown kinds pass, so that they are logged and do not fail. */
export const mailEventSchema = z.object({
  eventType: z.string().optional(),
  notificationType: z.string().optional(),
  bounce: bounceSchema.optional(),
  complaint: complaintSchema.optional(),
  mail: z
    .looseObject({
      timestamp: z.string().nullish().catch(undefined),
      tags: z.record(z.string(), z.array(z.string())).nullish().catch(undefined),
    })
    .nullish()
    .catch(undefined),
});
export type MailEvent = z.infer<typeof mailEventSchema>;

const bridgeSchema = z.object({ source: z.literal('aws.ses'), detail: mailEventSchema });
const topicSchema = z.object({ Type: z.literal('Notification'), Message: z.string() });

/** Thrown for a message that is not an SES event in any known wrapping. */
export class NoMailEventError extends Error {
  override readonly name = 'NoMailEventError';
}

/** The event in a queue's message: wrapped by EventBridge, wrapped by SNS, or unwrapped. */
export function readMailEvent(message: unknown): MailEvent {
  const bridge = bridgeSchema.safeParse(message);
  if (bridge.success) return bridge.data.detail;
  const topic = topicSchema.safeParse(message);
  const bare = topic.success ? parseJson(topic.data.Message) : message;
  const parsed = mailEventSchema.safeParse(bare);
  if (parsed.success) return parsed.data;
  throw new NoMailEventError('the message is no SES event', { cause: parsed.error });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new NoMailEventError('the SNS message is not JSON', { cause });
  }
}

/** The ids of the mail's channel and delivery, from its tags. */
export function mailOf({ mail }: MailEvent): { channelId?: string; deliveryId?: string } {
  const channelId = mail?.tags?.[channelTag]?.[0];
  const deliveryId = mail?.tags?.[deliveryTag]?.[0];
  return {
    ...(channelId !== undefined && { channelId }),
    ...(deliveryId !== undefined && { deliveryId }),
  };
}

/**
 * When the mailbox answered, epoch milliseconds. The mail server's clock may be wrong, so the time is kept
 * between SES's time of sending and `now`; an event without a time counts as `now`.
 */
export function feedbackTime({ bounce, complaint, mail }: MailEvent, now: number): number {
  const answeredAt = Date.parse((complaint ?? bounce)?.timestamp ?? '');
  if (Number.isNaN(answeredAt) || answeredAt > now) return now;
  const sentAt = Date.parse(mail?.timestamp ?? '');
  return Number.isNaN(sentAt) ? answeredAt : Math.min(Math.max(answeredAt, sentAt), now);
}

/** The meaning of an event for one address. `soft` counts towards a limit. */
export type Verdict =
  | { kind: 'suppress'; address: string; reason: SuppressionReason }
  | { kind: 'soft'; address: string; feedbackId: string }
  | { kind: 'none'; reason: string };

/** Bounces that may be temporary, such as a full mailbox. */
const passingSubTypes = new Set([
  'MailboxFull',
  'MessageTooLarge',
  'ContentRejected',
  'AttachmentRejected',
]);

/** One verdict for each recipient; one of kind `none` if the event says nothing about an address. */
export function judgeMailEvent({
  bounce,
  complaint,
  eventType,
  notificationType,
}: MailEvent): Verdict[] {
  if (complaint) {
    return complaint.complainedRecipients.map(({ emailAddress }) => ({
      kind: 'suppress',
      address: emailAddress,
      reason: 'complaint',
    }));
  }
  if (!bounce) return [{ kind: 'none', reason: eventType ?? notificationType ?? 'unknown' }];
  return bounce.bouncedRecipients.map((recipient) => judgeBounce(bounce, recipient));
}

function judgeBounce(
  { bounceType, bounceSubType, feedbackId }: z.infer<typeof bounceSchema>,
  { emailAddress: address, status, diagnosticCode }: z.infer<typeof recipients>[number],
): Verdict {
  if (bounceType === 'Permanent') return { kind: 'suppress', address, reason: 'bounce' };
  if (bounceType === 'Transient' && passingSubTypes.has(bounceSubType)) {
    return { kind: 'soft', address, feedbackId };
  }
  // A status 5.x.x is permanent whatever the bounce type is (B103); automatic replies have no such status.
  if (/^5\./.test(status ?? '')) return { kind: 'suppress', address, reason: 'bounce' };
  if (isAnsweringMachine(bounceSubType, diagnosticCode))
    return { kind: 'none', reason: 'out_of_office' };
  if (bounceType === 'Undetermined') return { kind: 'none', reason: 'undetermined' };
  return { kind: 'soft', address, feedbackId };
}

function isAnsweringMachine(subType: string, diagnostic: string | null | undefined): boolean {
  return (
    subType === 'General' && /out of (the )?office|auto-?reply|vacation/i.test(diagnostic ?? '')
  );
}
