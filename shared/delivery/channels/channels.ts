// The list of channel kinds, and the only place that names them all. A new kind is a file of this
// folder, a line in `rows` and, if it is sent by HTTP, a line in `httpForms`.
import * as z from 'zod';
import type { ChannelKindRow, HttpForm, TargetSettings } from './channel-kind.ts';
import { discord, discordForm } from './discord.ts';
import { email } from './email.ts';
import { ntfy, ntfyForm } from './ntfy.ts';
import { pushover, pushoverForm } from './pushover.ts';
import { slack, slackForm } from './slack.ts';
import { slackBot, slackBotForm } from './slack-bot.ts';
import { teams, teamsForm } from './teams.ts';
import { type TelegramAtBot, telegram, telegramForm } from './telegram.ts';
import { webhook, webhookForm } from './webhook.ts';

const rows = [email, webhook, slack, slackBot, discord, teams, telegram, ntfy, pushover] as const;

/**
 * A form for each kind that is sent by HTTP. Only the sender reads this constant, so the bundles of the
 * other functions contain neither it nor the renderers.
 */
const httpForms: {
  [Kind in HttpTarget['kind']]: HttpForm<Extract<AddressedTarget, { kind: Kind }>>;
} = {
  webhook: webhookForm,
  slack: slackForm,
  slack_bot: slackBotForm,
  discord: discordForm,
  teams: teamsForm,
  telegram: telegramForm,
  ntfy: ntfyForm,
  pushover: pushoverForm,
};

type Row = (typeof rows)[number];
export type ChannelKind = Row['kind'];
/** The stored target of a channel's messages. */
export type ChannelTarget = z.infer<Row['target']>;
/** A target that is sent to by HTTP. */
export type HttpTarget = Extract<
  ChannelTarget,
  { kind: Extract<Row, { sender: 'webhook' }>['kind'] }
>;
/** The same with the address of the deployment's bot, which is not stored (address-target.ts). */
export type AddressedTarget = Exclude<HttpTarget, { kind: TelegramAtBot['kind'] }> | TelegramAtBot;
type AnyRow = ChannelKindRow<ChannelTarget>;

export const channelKinds: readonly ChannelKind[] = rows.map(({ kind }) => kind);
/** Every kind, in the order of the list. */
export const channelRows: readonly AnyRow[] = rows;

const [first, ...others] = rows;

/** The body of `POST /v1/channels`. */
export const newChannelSchema = z
  .discriminatedUnion('kind', [first.wanted, ...others.map(({ wanted }) => wanted)])
  .meta({ id: 'ChannelRequest' });
export type NewChannel = z.infer<typeof newChannelSchema>;

export const channelTargetSchema = z.discriminatedUnion('kind', [
  first.target,
  ...others.map(({ target }) => target),
]);

const rowByKind = forEachKind((row) => row);

/** The row of a kind. */
export function kindOf({ kind }: { kind: ChannelKind }): AnyRow {
  return rowByKind[kind];
}

/** The HTTP form of a target. */
export function httpFormOf({ kind }: Pick<HttpTarget, 'kind'>): HttpForm<AddressedTarget> {
  return httpForms[kind];
}

/** The URL that an owner gave for a target, or in a body that adds or changes one, and its field. */
export function givenUrl(given: { kind: ChannelKind }): { field: string; url: string } | undefined {
  const { urlField: field } = kindOf(given);
  const url = field && new Map(Object.entries(given)).get(field);
  return field && typeof url === 'string' ? { field, url } : undefined;
}

/** A target as its owner may read it again: without its secrets, such as the path of a URL. */
export interface ShownTarget extends TargetSettings {
  /** Of a mail address. */
  address?: string;
  /** Of every other target. */
  host?: string;
  /** Tells the channels at one host apart. */
  recipient?: string;
}

export function shownTarget(target: ChannelTarget): ShownTarget {
  if ('address' in target) return { address: target.address };
  const row = kindOf(target);
  const recipient = row.recipientOf?.(target);
  return {
    host: row.host ?? hostOf(givenUrl(target)?.url ?? ''),
    ...(recipient !== undefined && { recipient }),
    ...row.settingsOf?.(target),
  };
}

/** The host of a receiver's URL, or a placeholder if the stored URL is damaged. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'address unreadable';
}

/** Whether a target gets its messages by HTTP. */
export function isHttpTarget(target: ChannelTarget): target is HttpTarget {
  return kindOf(target).sender === 'webhook';
}

/** The chat that a URL belongs to; undefined for any other URL. */
export function chatOfUrl(url: URL): AnyRow | undefined {
  return channelRows.find((row) => row.isOwnUrl?.(url) === true);
}

/** The product whose URL takes only the messages of another product; undefined for any other URL. */
export function otherFormAt(url: URL): AnyRow | undefined {
  return channelRows.find((row) => row.takesOtherForm?.(url) === true);
}

/** A value for each kind. */
export function forEachKind<Value>(of: (row: AnyRow) => Value): Record<ChannelKind, Value> {
  const entries = rows.map((row) => [row.kind, of(row)] as const);
  return Object.fromEntries(entries) as Record<ChannelKind, Value>;
}
