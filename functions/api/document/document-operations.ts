// The API's own description: the OpenAPI document and a page that people read.
import * as z from 'zod';
import { defineOperation, type Operation } from '../operation.ts';
import { renderDocsPage } from './docs-page.ts';
import { documentDescription, documentTags } from './document-text.ts';
import { linkFacts } from './link-facts.ts';
import { writeOpenApi } from './openapi.ts';
import { webhookFacts } from './webhook-facts.ts';

/** `/openapi.json` and `/docs`; each is generated at its first request. */
export function documentOperations(others: readonly Operation[]): Operation[] {
  let document: Record<string, unknown> | undefined;
  let page: { html: string; policy: string } | undefined;
  const read = () => {
    document ??= writeOpenApi([...others, ...linkFacts, ...own], {
      description: documentDescription,
      tags: documentTags,
      webhooks: webhookFacts,
    });
    return document;
  };
  const own = [
    defineOperation({
      method: 'get',
      path: '/openapi.json',
      tag: 'Documentation',
      summary: 'This document',
      description: 'Generators of clients read it.',
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
      description: 'For people; it needs no script.',
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
