// What SES tells of a mail that went out, and what it means for the address: bounces in all their kinds,
// complaints, rejections. Judges only; functions/mail-feedback writes.
import * as z from 'zod';
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
  timestamp: z.string().nullish(),
});

const complaintSchema = z.object({
  complainedRecipients: recipients,
  complaintFeedbackType: z.string().nullish(),
  feedbackId: z.string(),
  timestamp: z.string().nullish(),
});

/** The tag under which a mail names the channel that it went to. */
export const channelTag = 'channel';

/** An SES event; unknown kinds are let through, to be told of and not to fail on. */
export const mailEventSchema = z.object({
  eventType: z.string().optional(),
  notificationType: z.string().optional(),
  bounce: bounceSchema.optional(),
  complaint: complaintSchema.optional(),
  mail: z
    .looseObject({ tags: z.record(z.string(), z.array(z.string())).nullish().catch(undefined) })
    .nullish()
    .catch(undefined),
});
export type MailEvent = z.infer<typeof mailEventSchema>;

const bridgeSchema = z.object({ source: z.literal('aws.ses'), detail: mailEventSchema });
const topicSchema = z.object({ Type: z.literal('Notification'), Message: z.string() });

/** Thrown for a message that is no SES event in any of its wrappings. */
export class NoMailEventError extends Error {
  override readonly name = 'NoMailEventError';
}

/** The event in a queue's message: as EventBridge wraps it, as SNS does, or bare. */
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

/** The channel that the mail went to, as the mail's own tag names it. */
export function channelOf({ mail }: MailEvent): string | undefined {
  return mail?.tags?.[channelTag]?.[0];
}

/** When the mailbox said so, epoch milliseconds; undefined where the event does not say. */
export function feedbackTime({ bounce, complaint }: MailEvent): number | undefined {
  const at = Date.parse((complaint ?? bounce)?.timestamp ?? '');
  return Number.isNaN(at) ? undefined : at;
}

/** What an event means for one address. `soft` counts towards a limit. */
export type Verdict =
  | { kind: 'suppress'; address: string; reason: SuppressionReason }
  | { kind: 'soft'; address: string; feedbackId: string }
  | { kind: 'none'; reason: string };

/** A mailbox that is full today may not be tomorrow; a reader on holiday reads later. */
const passingSubTypes = new Set([
  'MailboxFull',
  'MessageTooLarge',
  'ContentRejected',
  'AttachmentRejected',
]);

/** One verdict a recipient; an event that says nothing of an address has one of the kind `none`. */
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
  // A 5.x.x is permanent whatever the bounce is labelled as (B103); an answering machine sends none.
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
