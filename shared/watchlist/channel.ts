// A channel: where an owner's alerts go. It knows addresses, not how to send to them.
import {
  any,
  boolean,
  type FormattedValue,
  item,
  number,
  record,
  string,
} from 'dynamodb-toolbox/schema';
import * as z from 'zod';
import { idSchema } from './id.ts';

export const channelKinds = ['email', 'webhook', 'slack', 'discord', 'teams'] as const;
export type ChannelKind = (typeof channelKinds)[number];

/** Signs until `expiresAt` (epoch ms); null for the current one. */
export interface SigningSecret {
  secret: string;
  expiresAt: number | null;
}

/** The address part of a channel, by kind. URLs are secrets: the API takes them and never shows them. */
export type ChannelTarget =
  | { kind: 'email'; address: string }
  | { kind: 'webhook'; url: string; secrets: SigningSecret[] }
  | { kind: 'slack' | 'discord' | 'teams'; url: string };

/**
 * `unverified`: an e-mail address that nobody has confirmed. `disabled`: switched off, by its owner or
 * after failing; what it misses is kept. `unsubscribed`: its reader wants nothing more.
 */
export const channelStatuses = ['unverified', 'active', 'disabled', 'unsubscribed'] as const;
export type ChannelStatus = (typeof channelStatuses)[number];

/**
 * `isImmediate`: alerts go at once, whatever the owner's quiet hours and digest. `staleAlerts`: what
 * becomes of an alert that could not be sent for six hours. `watchesSilentUntil`: watches that this
 * channel hears nothing of until a time (epoch ms; `forever` for good).
 */
export const channelSchema = item({
  channelId: string().key(),
  ownerId: string(),
  name: string().optional(),
  target: any().castAs<ChannelTarget>(),
  status: string().enum(...channelStatuses),
  disabledReason: string().optional(),
  isImmediate: boolean(),
  staleAlerts: string().enum('send', 'drop'),
  fallbackChannelId: string().optional(),
  watchesSilentUntil: record(string(), number()),
  stopUrl: string(),
  createdAt: string(),
  /** Grows with every change of its settings or its status. */
  revision: number().optional(),
});

export type Channel = FormattedValue<typeof channelSchema>;

/** Later than any time that counts: a watch that a channel hears nothing of for good. */
export const forever = 8_640_000_000_000_000;

/** The queue that a kind of channel is served from. */
export function sendQueueOf(kind: ChannelKind): 'email' | 'webhook' {
  return kind === 'email' ? 'email' : 'webhook';
}

/** The secrets that sign at `now` (epoch ms), the newest first. */
export function validSecrets(secrets: readonly SigningSecret[], now: number): string[] {
  return secrets
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
    .map(({ secret }) => secret);
}

/** How long the secret before stays valid after a rotation. */
export const secretOverlapMs = 24 * 3_600_000;

/** The secrets after a rotation at `now`: the new one, and the ones that still overlap. */
export function rotateSecrets(
  secrets: readonly SigningSecret[],
  fresh: string,
  now: number,
): SigningSecret[] {
  const overlapping = secrets
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
    .map(({ secret, expiresAt }) => ({ secret, expiresAt: expiresAt ?? now + secretOverlapMs }));
  return [{ secret: fresh, expiresAt: null }, ...overlapping.slice(0, 1)];
}

/** An address with one recipient and no way to smuggle a header in. */
export const emailAddress = z
  .email({ error: 'must be one e-mail address, such as ann@example.com' })
  .max(254);

const receiverUrl = z
  .url({ protocol: /^https?$/, error: 'must be an https address' })
  .max(2_000)
  .refine((url) => !/^https?:\/\/[^/]*@/i.test(url), 'must not have a user name or password');

const settings = {
  name: z.string().trim().min(1).max(100),
  immediate: z.boolean().meta({
    description:
      'Alerts ignore quiet hours and the digest. Default: true for webhooks (machines read them), false for all other kinds.',
  }),
  stale_alerts: z.enum(['send', 'drop']).meta({
    description:
      'What to do with an alert that could not be sent for six hours: send it with its age, or drop it',
  }),
  fallback_channel: idSchema('channel').meta({
    description:
      'The channel that gets the alerts when this one refuses them, or when urgent ones could not be sent for 15 minutes',
  }),
};

const newSettings = {
  name: settings.name.optional(),
  immediate: settings.immediate.optional(),
  stale_alerts: settings.stale_alerts.default('send'),
  fallback_channel: settings.fallback_channel.optional(),
};

const byUrl = <Kind extends Exclude<ChannelKind, 'email'>>(kind: Kind) =>
  z.strictObject({ kind: z.literal(kind), url: receiverUrl, ...newSettings });

/** The body of `POST /v1/channels`. */
export const newChannelSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('email'), address: emailAddress, ...newSettings }),
    byUrl('webhook'),
    byUrl('slack'),
    byUrl('discord'),
    byUrl('teams'),
  ])
  .meta({ id: 'NewChannel' });

export type NewChannel = z.infer<typeof newChannelSchema>;

/** The body of `PATCH /v1/channels/{id}`; what is absent stays. */
export const channelChangeSchema = z
  .strictObject({
    name: settings.name.nullable(),
    immediate: settings.immediate,
    stale_alerts: settings.stale_alerts,
    fallback_channel: settings.fallback_channel.nullable(),
    url: receiverUrl,
    status: z.enum(['disabled']).meta({
      description: 'disabled switches the channel off; a test that arrives switches it on again',
    }),
  })
  .partial()
  .meta({ id: 'ChannelChange' });

export type ChannelChange = z.infer<typeof channelChangeSchema>;
