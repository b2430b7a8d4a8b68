// What a webhook with some settings would get for the sample messages, made by the code that sends.
import * as z from 'zod';
import { webhook, webhookForm } from '#shared/delivery/channels/webhook.ts';
import type { GivenWebhook } from '#shared/delivery/channels/webhook-settings.ts';
import { type TellableMessage, webhookTypeOf } from '#shared/delivery/message/webhook-body.ts';
import { webhookTypes } from '#shared/delivery/message/webhook-types.ts';
import { templateData } from '#shared/delivery/template/template-data.ts';
import { templateDataSchema } from '#shared/delivery/template/template-data-schema.ts';
import { sampleNames } from './sample-messages.ts';

/** Signs previews only, so it is no secret. */
export const previewSecret = `whsec_${Buffer.alloc(32, 'for previews only ').toString('base64')}`;

export const previewedMessageSchema = z
  .object({
    sample: z
      .enum([...sampleNames, 'alert_id'])
      .meta({ description: 'Which sample; `alert_id` is the alert that you named' }),
    type: z.enum(webhookTypes),
    headers: z.array(z.object({ name: z.string(), value: z.string() })).meta({
      description: 'As they would be sent; the values of your own `headers` are "[hidden]"',
    }),
    body: z.string().nullable().meta({
      description: 'As it would be sent; null if the template makes no body for this message',
    }),
    bytes: z.int().nullable().meta({ description: 'The size of the body; at most 20,000' }),
    data: templateDataSchema.meta({
      description: 'What the template is filled with; of many alerts the first three',
    }),
  })
  .meta({ id: 'PreviewedWebhook' });

type PreviewedMessage = z.infer<typeof previewedMessageSchema>;
export type PreviewedSample = PreviewedMessage['sample'];

/** @param now epoch milliseconds, for the signature. */
export function previewMessage(
  sample: PreviewedSample,
  message: TellableMessage,
  { settings, now }: { settings: Omit<GivenWebhook, 'url'>; now: number },
): PreviewedMessage {
  const target = webhook.newTarget({ ...webhook.example, ...settings }, () => previewSecret);
  const { body, headers, note } = webhookForm.request(message, target, now);
  const isOwn = (name: string) => Object.hasOwn(settings.headers ?? {}, name);
  const isMade = note === undefined;
  return {
    sample,
    type: webhookTypeOf(message),
    headers: Object.entries(headers).map(([name, value]) => ({
      name,
      value: isOwn(name) ? '[hidden]' : value,
    })),
    body: isMade ? body : null,
    bytes: isMade ? Buffer.byteLength(body) : null,
    data: templateData(message)({ alerts: 3, alertBytes: Number.POSITIVE_INFINITY }),
  };
}
