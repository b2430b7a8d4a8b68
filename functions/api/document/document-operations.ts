// The API's own description: the OpenAPI document and a page that people read.
import * as z from 'zod';
import { webhookPayloadSchema } from '#shared/delivery/message/webhook-payload.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { renderDocsPage } from './docs-page.ts';
import { documentDescription, documentTags } from './document-text.ts';
import { exampleRecovery, exampleWebhook } from './example-webhook.ts';
import { linkFacts } from './link-facts.ts';
import { writeOpenApi } from './openapi.ts';

/** `/openapi.json` and `/docs`; each is generated at its first request. */
export function documentOperations(others: readonly Operation[]): Operation[] {
  let document: Record<string, unknown> | undefined;
  let page: { html: string; policy: string } | undefined;
  const read = () => {
    document ??= writeOpenApi([...others, ...linkFacts, ...own], {
      description: documentDescription,
      tags: documentTags,
      webhooks: {
        'alert.fired': {
          summary: 'A message to a webhook channel',
          description:
            'Signed per Standard Webhooks (webhook-id, webhook-timestamp, webhook-signature). Answer 2xx within 15 s.',
          schema: webhookPayloadSchema,
          example: exampleWebhook,
        },
        'alert.recovered': {
          summary: 'The number went back after an alert',
          description:
            'Only for a rule with `tell_recovery`. A type of its own, so that a receiver of alerts does not take it for one; in `alerts.fired` such messages are in `recovered`.',
          schema: webhookPayloadSchema,
          example: exampleRecovery,
        },
      },
    });
    return document;
  };
  const own = [
    defineOperation({
      method: 'get',
      path: '/openapi.json',
      tag: 'Documentation',
      summary: 'This document',
      access: 'public',
      answer: {
        status: 200,
        description: 'The OpenAPI 3.1 document',
        schema: z.looseObject({ openapi: z.string() }).meta({ id: 'OpenApiDocument' }),
      },
      handle: async () => ({ body: read() }),
    }),
    defineOperation({
      method: 'get',
      path: '/docs',
      tag: 'Documentation',
      summary: 'This document as a page',
      access: 'public',
      answer: { status: 200, description: 'The page', types: ['text/html'] },
      handle: async () => {
        page ??= renderDocsPage(read());
        return {
          text: { type: 'text/html; charset=utf-8', content: page.html },
          headers: { 'content-security-policy': page.policy },
        };
      },
    }),
  ];
  return own;
}
