// What the document says of the pages behind the links in messages. People and mail clients call them,
// not scripts: forms come in and pages go out, so they are no operations of the JSON API.
import * as z from 'zod';
import type { OperationFacts } from '../operation.ts';
import { presses } from '../routes/links.ts';
import { exampleIds } from './example-ids.ts';

const tag = 'Links';

const params = z.object({
  token: z.string().meta({
    description: 'Signed; names a channel and what may be done with it',
    examples: [exampleIds.link],
  }),
});

const query = z.object({
  w: z.string().optional().meta({ description: 'The id of the watch that the message was about' }),
});

const acts = Object.values(presses).map(({ act }) => act);

const formSchema = z
  .object({
    do: z.enum(acts).optional().meta({ description: 'The button that was pressed' }),
    'List-Unsubscribe': z.literal('One-Click').optional().meta({
      description: 'In place of a button, from a mail client (RFC 8058): stops everything',
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
    description: 'Shows what the link can do, and changes nothing: scanners follow links.',
    answer: { status: 200, description: 'The page', types: ['text/html'] },
  },
  {
    ...shared,
    method: 'post',
    summary: 'Press a button of a link’s page',
    description: 'Doing it twice is harmless, and what can be undone has a button to undo it.',
    form: formSchema,
    bodyExamples: {
      unsubscribe: { summary: 'One-click unsubscribe', value: { 'List-Unsubscribe': 'One-Click' } },
    },
    answer: { status: 200, description: 'What was done', types: ['text/html'] },
  },
];
