// A preview of what a webhook would get: it changes nothing and sends nothing.
import * as z from 'zod';
import { webhookSettings } from '#shared/delivery/channels/webhook-settings.ts';
import type { TellableMessage } from '#shared/delivery/message/webhook-body.ts';
import { usualContentType } from '#shared/delivery/template/content-types.ts';
import { hearingTimesOf } from '#shared/watchlist/owner.ts';
import { readWholeAlert } from '../alerts/whole-alert.ts';
import type { ApiDeps } from '../api-deps.ts';
import { channelTag } from '../channels/channel-use.ts';
import { checkTemplate } from '../channels/template/check-template.ts';
import {
  type PreviewedSample,
  previewedMessageSchema,
  previewMessage,
  previewSecret,
} from '../channels/template/preview-messages.ts';
import { sampleMessages, sampleNames, tellable } from '../channels/template/sample-messages.ts';
import { defineOperation } from '../operation.ts';

const previewSchema = z
  .strictObject({
    payload_version: webhookSettings.payload_version.default(2),
    body_template: webhookSettings.body_template.optional(),
    content_type: webhookSettings.content_type.optional(),
    headers: webhookSettings.headers.optional(),
    alert_id: z
      .string()
      .max(200)
      .optional()
      .meta({ description: 'One of your alerts, to be shown beside the samples' }),
  })
  .meta({ id: 'WebhookPreviewRequest' });

export const webhookPreviewSchema = z
  .object({
    faults: z
      .array(
        z.object({
          line: z.int(),
          column: z.int(),
          sample: z.enum(sampleNames).nullable().meta({
            description:
              'The message that shows the fault; null for a fault of the template itself',
          }),
          message: z.string(),
        }),
      )
      .meta({
        description:
          'Why a channel can’t have this template, with the place in it; empty if it can',
      }),
    messages: z.array(previewedMessageSchema),
    secret: z.string().meta({
      description: 'Signed these messages, to try a receiver with them; no channel has it',
    }),
  })
  .meta({ id: 'WebhookPreview' });

/** `POST /v1/channels/preview`. */
export function previewWebhookOperation({ stores }: ApiDeps) {
  return defineOperation({
    method: 'post',
    path: '/v1/channels/preview',
    tag: channelTag,
    summary: 'Preview the messages of a webhook',
    description:
      'Shows headers and bodies that a webhook with these settings would get, for a message of each kind and for one of your alerts, and says what is wrong with a template. It changes nothing and sends nothing.',
    access: 'read',
    body: previewSchema,
    bodyExamples: {
      template: {
        summary: 'A template',
        value: { body_template: '{"text": "{{headline}}", "price": {{now}}}' },
      },
    },
    answer: { status: 200, description: 'The messages', schema: webhookPreviewSchema },
    refusals: [404, 409],
    handle: async ({ ownerId, body: { alert_id, ...settings }, now }) => {
      const { body_template: template, content_type: contentType = usualContentType } = settings;
      const shown = (sample: PreviewedSample, message: TellableMessage) =>
        previewMessage(sample, message, { settings, now });
      const samples = sampleMessages();
      const messages = sampleNames.map((sample) => shown(sample, samples[sample]));
      if (alert_id !== undefined) {
        messages.push(shown('alert_id', await readOwn(alert_id, { ownerId, now })));
      }
      const faults = template === undefined ? [] : checkTemplate(template, contentType);
      return { body: { faults, messages, secret: previewSecret } };
    },
  });

  async function readOwn(alertId: string, asked: { ownerId: string; now: number }) {
    const [alert, owner] = await Promise.all([
      readWholeAlert(stores, alertId, asked),
      stores.access.findOwner(asked.ownerId),
    ]);
    const { timeZone } = hearingTimesOf(owner);
    return tellable([alert], { timeZone });
  }
}
