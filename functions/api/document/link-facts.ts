// The document's description of the pages behind message links. People and mail clients call them,
// not scripts. They take forms and return pages, so they are not operations of the JSON API.
import * as z from 'zod';
import { alertActs } from '#shared/delivery/alert-acts.ts';
import { presses } from '../links/link-presses.ts';
import { pageActNames } from '../links/page-acts.ts';
import type { OperationFacts } from '../operation.ts';
import { exampleIds } from './example-ids.ts';

const tag = 'Links';

const params = z.object({
  token: z.string().meta({
    description: 'A signed token: a channel and, in the message of an alert, the alert',
    examples: [exampleIds.link],
  }),
});

const query = z.object({
  w: z.string().optional().meta({ description: 'The id of the watch in the message' }),
  do: z
    .string()
    .optional()
    .meta({
      description: 'What the page of an alert asks first; opening it does nothing',
      examples: [alertActs.bought],
    }),
});

const acts = [...new Set([...Object.values(presses).map(({ act }) => act), ...pageActNames])];
const seen = z.string().optional();

const formSchema = z
  .object({
    do: z.enum(acts).optional().meta({ description: 'The button that was pressed' }),
    version: seen.meta({
      description: 'Of an alert’s page: the version of the watch that it showed',
    }),
    revision: seen.meta({ description: 'Of an alert’s page: the revision of the channel' }),
    to: seen.meta({ description: 'Of an alert’s page: the level that the button sets, cents' }),
    paid: seen.meta({ description: 'With `bought`: what one ticket cost, dollars; may be empty' }),
    'List-Unsubscribe': z.literal('One-Click').optional().meta({
      description:
        'Sent by a mail client instead of a button (RFC 8058): unsubscribes from everything',
    }),
  })
  .meta({ id: 'LinkForm', description: 'A button with its fields, or a one-click unsubscription' });

const shared = {
  ...{ tag, params, query },
  path: '/l/{token}',
  access: 'public',
  refusesByPage: true,
} as const;

/** `/l/{token}`. */
export const linkFacts: readonly OperationFacts[] = [
  {
    ...shared,
    method: 'get',
    summary: 'The page of a link',
    description:
      'Shows the actions of the link. A GET changes nothing, because mail scanners follow links.',
    answer: { status: 200, description: 'The page', types: ['text/html'], isUncached: true },
  },
  {
    ...shared,
    method: 'post',
    summary: 'Press a button of a link’s page',
    description:
      'Repeating a form changes nothing, even after an undo. The answer is a page that says what is so now, with a button to undo it. 409: it can’t be done any more, and the page says why. 400: no such button, or a price that can’t be read.',
    form: formSchema,
    refusals: [409],
    bodyExamples: {
      unsubscribe: { summary: 'One-click unsubscribe', value: { 'List-Unsubscribe': 'One-Click' } },
    },
    answer: { status: 200, description: 'What was done', types: ['text/html'] },
  },
];
