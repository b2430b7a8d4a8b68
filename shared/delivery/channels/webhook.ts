// A generic webhook: an owner's URL, read by a machine, signed by Standard Webhooks. webhook-settings.ts has what
// its owner can set, ../message/webhook-body.ts and ../template/ have its bodies.
import * as z from 'zod';
import { newChannelSettings } from '#shared/watchlist/channel.ts';
import { webhookBody } from '../message/webhook-body.ts';
import { secretsOfHeaders } from '../outbound/custom-headers.ts';
import { retryAfterMs } from '../outbound/retry-after.ts';
import { webhookHeaders } from '../outbound/webhook.ts';
import { contentTypeRows, contentTypes, usualContentType } from '../template/content-types.ts';
import { templateBody } from '../template/template-body.ts';
import type { ChannelKindRow, HttpForm, Outgoing } from './channel-kind.ts';
import { gone, isSuccess, mayPass } from './judgement.ts';
import { receiverUrl, urlSecrets } from './url-target.ts';
import { validSecrets } from './webhook-secrets.ts';
import {
  type Changes,
  type GivenWebhook,
  payloadVersionOf,
  shownSettings,
  typeAlone,
  type WebhookTarget,
  webhookChangeFault,
  webhookSettings,
  webhookTargetSchema,
  withSettings,
} from './webhook-settings.ts';

export const webhook = {
  kind: 'webhook',
  label: 'webhook',
  sender: 'webhook',
  readBy: 'machines',
  needsConfirmation: false,
  slotsOf: 'host',
  wanted: z
    .strictObject({
      kind: z.literal('webhook'),
      url: receiverUrl,
      payload_version: webhookSettings.payload_version.default(2),
      headers: webhookSettings.headers.optional(),
      body_template: webhookSettings.body_template.optional(),
      content_type: webhookSettings.content_type.optional(),
      ...newChannelSettings,
    })
    .refine(({ content_type, body_template }) => !content_type || body_template, {
      ...{ path: ['content_type'], error: typeAlone },
    })
    .meta({ id: 'WebhookChannelRequest' }),
  changes: {
    url: receiverUrl,
    payload_version: webhookSettings.payload_version,
    headers: webhookSettings.headers.nullable(),
    body_template: webhookSettings.body_template.nullable(),
    content_type: webhookSettings.content_type.nullable(),
  },
  target: webhookTargetSchema,
  urlField: 'url',
  example: { url: 'https://example.com/hook' },
  guide: {
    label: 'Webhook',
    about: 'Signed JSON for a program of yours, as Standard Webhooks describes it.',
    steps: [
      'Set up an https address that takes a POST with JSON and answers with a status from 200 to 299.',
      'Add it here. The secret that signs each message is then shown once: keep it with your program.',
      'Let the program check the signature, with a library of standardwebhooks.com.',
    ],
    fields: [
      { name: 'url', label: 'URL', form: 'url', example: 'https://example.com/hook' },
      {
        ...{ name: 'headers', label: 'Headers of your own', form: 'headers', isOptional: true },
        hint: 'At most two, such as Authorization. They go with each message, and are not shown again.',
      },
      {
        ...{ name: 'payload_version', label: 'Payload', form: 'choice', isOptional: true },
        choices: [
          { value: 2, label: 'Version 2: dollars and percent' },
          { value: 1, label: 'Version 1: cents, for programs made for it' },
        ],
      },
      {
        ...{ name: 'body_template', label: 'A form of your own', form: 'template' },
        ...{ isOptional: true, example: '{"text": "{{headline}}", "price": {{now}}}' },
        hint: 'A Mustache template, in place of the standard body. The documentation has its names.',
      },
      {
        ...{ name: 'content_type', label: 'Type of that form', form: 'choice', isOptional: true },
        choices: contentTypes.map((value) => ({ value, label: value })),
      },
    ],
  },
  newTarget({ url, ...settings }, newSecret) {
    const secrets = [{ secret: newSecret(), expiresAt: null }];
    return withSettings({ kind: 'webhook', url, secrets }, settings);
  },
  changeFault: webhookChangeFault,
  changedTarget(target, { url, ...change }: Changes) {
    return withSettings({ ...target, ...(url && { url }) }, change);
  },
  settingsOf: shownSettings,
  readerOf: ({ url }) => url,
} as const satisfies ChannelKindRow<WebhookTarget, GivenWebhook>;

export const webhookForm: HttpForm<WebhookTarget> = {
  request(outgoing, target, now) {
    const { url, secrets, headers } = target;
    const { body, type, note } = bodyOf(outgoing, target);
    const signed = webhookHeaders(outgoing.deliveryId, body, validSecrets(secrets, now), now);
    const all = { ...headers, ...signed, 'content-type': type };
    return { url, body, headers: all, ...(note && { note }) };
  },
  secretsOf: (target) => [...urlSecrets(target), ...secretsOfHeaders(target.headers)],

  /** Only 2xx is success; 410 says that the receiver is gone; any other status is retried. */
  judge(answer, now) {
    if (isSuccess(answer)) return { kind: 'sent' };
    if (answer.status === 410) return gone(answer);
    return mayPass(answer, retryAfterMs(answer.headers['retry-after'], now));
  },
};

/** The body of the owner's template. If the template fails, the standard body still tells the alerts. */
function bodyOf(
  outgoing: Outgoing,
  target: WebhookTarget,
): { body: string; type: string; note?: string } {
  const { bodyTemplate: template, contentType = usualContentType } = target;
  const made = template === undefined ? undefined : templateBody(template, contentType, outgoing);
  if (made && 'body' in made) {
    return { body: made.body, type: contentTypeRows[contentType].header };
  }
  const body = webhookBody(outgoing, payloadVersionOf(target));
  return { body, type: 'application/json', ...(made && { note: made.failure }) };
}
