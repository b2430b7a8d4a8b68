// The document's description of the pages behind message links. People and mail clients call them,
// not scripts. They take forms and return pages, so they are not operations of the JSON API.
import * as z from 'zod';
import { presses } from '../channels/link-presses.ts';
import type { OperationFacts } from '../operation.ts';
import { exampleIds } from './example-ids.ts';

const tag = 'Links';

const params = z.object({
  token: z.string().meta({
    description: 'A signed token: a channel and the allowed actions',
    examples: [exampleIds.link],
  }),
});

const query = z.object({
  w: z.string().optional().meta({ description: 'The id of the watch in the message' }),
});

const acts = Object.values(presses).map(({ act }) => act);

const formSchema = z
  .object({
    do: z.enum(acts).optional().meta({ description: 'The button that was pressed' }),
    'List-Unsubscribe': z.literal('One-Click').optional().meta({
      description:
        'Sent by a mail client instead of a button (RFC 8058): unsubscribes from everything',
    }),
  })
  .meta({ id: 'LinkForm', description: 'One of both' });

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
    answer: { status: 200, description: 'The page', types: ['text/html'] },
  },
  {
    ...shared,
    method: 'post',
    summary: 'Press a button of a link’s page',
    description:
      'Repeating an action changes nothing. Actions that can be undone have an undo button.',
    form: formSchema,
    bodyExamples: {
      unsubscribe: { summary: 'One-click unsubscribe', value: { 'List-Unsubscribe': 'One-Click' } },
    },
    answer: { status: 200, description: 'What was done', types: ['text/html'] },
  },
];
