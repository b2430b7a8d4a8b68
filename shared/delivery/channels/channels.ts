// The list of channel kinds, and the only place that names them all. A new kind is a file of this
// folder, a line in `rows` and, if it is sent by HTTP, a line in `httpForms`.
import * as z from 'zod';
import type { ChannelKindRow, HttpForm } from './channel-kind.ts';
import { discord, discordForm } from './discord.ts';
import { email } from './email.ts';
import { slack, slackForm } from './slack.ts';
import { teams, teamsForm } from './teams.ts';
import { webhook, webhookForm } from './webhook.ts';

const rows = [email, webhook, slack, discord, teams] as const;

/**
 * A form for each kind that is sent by HTTP. Only the sender reads this constant, so the bundles of the
 * other functions contain neither it nor the renderers.
 */
const httpForms: { [Kind in HttpTarget['kind']]: HttpForm<Extract<HttpTarget, { kind: Kind }>> } = {
  webhook: webhookForm,
  slack: slackForm,
  discord: discordForm,
  teams: teamsForm,
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
export function httpFormOf({ kind }: Pick<HttpTarget, 'kind'>): HttpForm<HttpTarget> {
  return httpForms[kind];
}

/** Whether a target gets its messages by HTTP. */
export function isHttpTarget(target: ChannelTarget): target is HttpTarget {
  return kindOf(target).sender === 'webhook';
}

/** The chat that a URL belongs to; undefined for any other URL. */
export function chatOfUrl(url: URL): AnyRow | undefined {
  return channelRows.find((row) => row.isOwnUrl?.(url) === true);
}

/** A value for each kind. */
export function forEachKind<Value>(of: (row: AnyRow) => Value): Record<ChannelKind, Value> {
  const entries = rows.map((row) => [row.kind, of(row)] as const);
  return Object.fromEntries(entries) as Record<ChannelKind, Value>;
}
