// A channel: where an owner's alerts go. It knows addresses, not how to send to them.
import { any, type FormattedValue, item, string } from 'dynamodb-toolbox/schema';
import * as z from 'zod';

export const channelKinds = ['email', 'webhook'] as const;
export type ChannelKind = (typeof channelKinds)[number];

/** The address part of a channel, by kind. A webhook's secret is shown once, at creation. */
export type ChannelTarget =
  | { kind: 'email'; address: string }
  | { kind: 'webhook'; url: string; secret: string };

export const channelSchema = item({
  channelId: string().key(),
  ownerId: string(),
  target: any().castAs<ChannelTarget>(),
  status: string().enum('active', 'disabled'),
  createdAt: string(),
});

export type Channel = FormattedValue<typeof channelSchema>;

/** An address with one recipient and no way to smuggle a header in. */
const emailAddress = z
  .email({ error: 'must be one e-mail address, such as ann@example.com' })
  .max(254);

const webhookUrl = z
  .url({ protocol: /^https?$/, error: 'must be an https address' })
  .max(2_000)
  .refine((url) => !/^https?:\/\/[^/]*@/i.test(url), 'must not carry a user name or password');

/** The body of `POST /v1/channels`. */
export const newChannelSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('email'), address: emailAddress }),
    z.strictObject({ kind: z.literal('webhook'), url: webhookUrl }),
  ])
  .meta({ id: 'NewChannel' });

export type NewChannel = z.infer<typeof newChannelSchema>;
