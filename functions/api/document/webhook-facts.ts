// What the document says of each type of webhook message.
import type * as z from 'zod';
import { webhookSchemaOf } from '#shared/delivery/message/webhook-payload.ts';
import type { WebhookType } from '#shared/delivery/message/webhook-types.ts';
import { timing } from '#shared/timing.ts';
import {
  exampleDigest,
  exampleNotice,
  exampleRecovery,
  exampleTest,
  exampleWebhook,
} from './example-webhook.ts';

export interface WebhookFacts {
  summary: string;
  description: string;
  schema: z.ZodType;
  example: unknown;
}

const signed = `Signed per Standard Webhooks. Answer 2xx within ${timing.webhookTimeoutMs / 1_000} s. A channel with a \`body_template\` gets that body instead.`;

const words: Record<WebhookType, Omit<WebhookFacts, 'schema'>> = {
  'alert.fired': { summary: 'One alert', description: signed, example: exampleWebhook },
  'alert.recovered': {
    summary: 'The number went back after an alert',
    description: `Only for a rule with \`tell_recovery\`. A type of its own, so that a receiver of alerts does not take it for one; in \`alerts.fired\` such messages are in \`recovered\`. ${signed}`,
    example: exampleRecovery,
  },
  'alerts.fired': {
    summary: 'Several alerts in one message',
    description: `Alerts of one watch from one snapshot, alerts that were held for quiet hours, and digests. ${signed}`,
    example: exampleDigest,
  },
  'channel.test': {
    summary: 'The test of a channel',
    description: `Sent by POST /v1/channels/{id}/test. ${signed}`,
    example: exampleTest,
  },
  'channel.notice': {
    summary: 'A notice to the owner',
    description: `Such as a feed that has stopped, or another channel that fails. ${signed}`,
    example: exampleNotice,
  },
};

/** `AlertFiredMessage`: generators need a name for the body of a webhook. */
function messageId(type: string): string {
  const words = [...type.split('.'), 'message'];
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** The document's webhooks, by type. */
export const webhookFacts: Record<string, WebhookFacts> = Object.fromEntries(
  Object.entries(words).map(([type, facts]) => [
    type,
    { ...facts, schema: webhookSchemaOf(type as WebhookType).meta({ id: messageId(type) }) },
  ]),
);
