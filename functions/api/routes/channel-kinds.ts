// What a form needs to add a channel: each kind with its fields, and how a person gets their values.
import * as z from 'zod';
import { type GuideField, guideForms } from '#shared/delivery/channels/channel-guide.ts';
import { channelKinds, channelRows } from '#shared/delivery/channels/channels.ts';
import { telegram } from '#shared/delivery/channels/telegram.ts';
import type { ApiDeps } from '../api-deps.ts';
import { channelTag } from '../channels/channel-use.ts';
import { defineOperation } from '../operation.ts';

/** Those that people read come first. */
const rows = [
  ...channelRows.filter(({ readBy }) => readBy === 'people'),
  ...channelRows.filter(({ readBy }) => readBy === 'machines'),
];

const fieldSchema = z
  .object({
    name: z.string().meta({ description: 'The field of the body of POST /v1/channels' }),
    label: z.string(),
    form: z.enum(guideForms).meta({
      description:
        'secret: hidden while it is typed; headers: names with values; choice: one of `choices`; template: a text of several lines',
    }),
    example: z.string().nullable(),
    hint: z.string().nullable(),
    required: z.boolean(),
    can_change: z
      .boolean()
      .meta({ description: 'Whether PATCH /v1/channels/{id} takes the field' }),
    choices: z.array(z.object({ value: z.union([z.string(), z.number()]), label: z.string() })),
  })
  .meta({ id: 'ChannelField' });

export const channelKindSchema = z
  .object({
    kind: z.enum(channelKinds),
    label: z.string(),
    about: z.string().meta({ description: 'What its messages are like' }),
    available: z
      .boolean()
      .meta({ description: 'false: the operator of this deployment has not set it up' }),
    steps: z.array(z.string()).meta({ description: 'What to do, in order' }),
    fields: z.array(fieldSchema),
  })
  .meta({ id: 'ChannelKind' });

/** `GET /v1/channel-kinds`. */
export function channelKindsOperation({ telegram: bots }: ApiDeps) {
  return defineOperation({
    method: 'get',
    path: '/v1/channel-kinds',
    tag: channelTag,
    summary: 'The kinds of channels, and how to add each',
    description:
      'For a form: the fields of each kind with their labels, and in plain steps where their values come from. The settings that every kind has, such as `name`, are not among the fields.',
    access: 'read',
    answer: {
      status: 200,
      description: 'Every kind',
      schema: z.object({ data: z.array(channelKindSchema) }).meta({ id: 'ChannelKinds' }),
    },
    handle: async () => {
      // A secret that can't be read now says nothing; the owner who adds a chat then learns why.
      const hasBot = await bots.readBot().then(Boolean, () => true);
      const data = rows.map(
        ({ kind, label, guide: { about, steps, fields, ...guide }, changes }) => ({
          ...{ kind, label: guide.label ?? label, about, steps: [...steps] },
          available: kind !== telegram.kind || hasBot,
          fields: fields.map((field) => fieldJson(field, changes)),
        }),
      );
      return { body: { data } };
    },
  });
}

function fieldJson(
  { name, label, form, example, hint, isOptional = false, choices = [] }: GuideField,
  changes: object,
): z.infer<typeof fieldSchema> {
  return {
    ...{ name, label, form, example: example ?? null, hint: hint ?? null },
    required: !isOptional,
    can_change: Object.hasOwn(changes, name),
    choices: [...choices],
  };
}
