// ntfy: a server, a topic and sometimes a token; a message as a notification with buttons, and the meaning of
// the server's answers. The topic of a public server is a password: anyone who knows it reads the messages.
import * as z from 'zod';
import { newChannelSettings } from '#shared/watchlist/channel.ts';
import type { AlertMessage, Message } from '../message/message.ts';
import { utf8Bytes } from '../message/plain-text.ts';
import type { PostAnswer } from '../outbound/post-answer.ts';
import { retryAfterMs } from '../outbound/retry-after.ts';
import type { ChannelKindRow, HttpForm, Outgoing } from './channel-kind.ts';
import {
  fieldsIn,
  gone,
  isSuccess,
  type Judgement,
  judgeEdit,
  mayPass,
  refused,
  unconfirmed,
} from './judgement.ts';
import { loudnessOf } from './loudness.ts';
import { phoneLinks, phoneText, phoneTitle } from './phone-text.ts';
import { chatHeaders, receiverUrl, startOf, storedUrl } from './url-target.ts';

const server = receiverUrl
  .refine(isRoot, { error: 'must be the root of a server, such as https://ntfy.sh' })
  .meta({ description: 'The ntfy server' });
const topic = z
  .string()
  .regex(/^[-_A-Za-z0-9]{1,64}$/, 'must have 1 to 64 letters, digits, - and _')
  .meta({
    description:
      'The topic. On a public server anyone who knows it can read it, so take one that is hard to guess; it is write-only here',
  });
const token = z
  .string()
  .regex(/^tk_[A-Za-z0-9]{1,100}$/, 'must be an access token of ntfy, which begins with tk_')
  .meta({ description: 'An access token that may write to the topic; write-only' });

/** A text that is no URL has a fault already. */
function isRoot(text: string): boolean {
  const url = URL.parse(text);
  return url === null || url.href === `${url.origin}/`;
}

const target = z.object({
  kind: z.literal('ntfy'),
  server: storedUrl,
  topic: z.string().min(1),
  token: z.string().optional(),
});
export type NtfyTarget = z.infer<typeof target>;

interface GivenNtfy {
  server: string;
  topic: string;
  token?: string | undefined;
}

export const ntfy = {
  kind: 'ntfy',
  label: 'ntfy',
  sender: 'webhook',
  readBy: 'people',
  needsConfirmation: false,
  slotsOf: 'host',
  // A server takes 60 requests at once and then 12 a minute.
  pace: { messages: 12, perMs: 60_000 },
  // Of the 250 messages that a public server takes in a day.
  editPace: { messages: 60, perMs: 86_400_000 },
  wanted: z
    .strictObject({
      kind: z.literal('ntfy'),
      server: server.default('https://ntfy.sh'),
      topic,
      token: token.optional(),
      ...newChannelSettings,
    })
    .meta({ id: 'NtfyChannelRequest' }),
  // Not the server: the topic and the token of one server must not be sent to another.
  changes: { topic, token: token.nullable() },
  target,
  urlField: 'server',
  example: { server: 'https://ntfy.sh', topic: 'knicks-3f9a1c7e5b' },
  guide: {
    about: 'A notification on your phone with three buttons; urgent ones are loud.',
    steps: [
      'Install the app ntfy on your phone, or open ntfy.sh.',
      'Subscribe to a topic with a name that is hard to guess: anyone who knows it can read it.',
      'Enter the same topic here.',
    ],
    fields: [
      { name: 'topic', label: 'Topic', form: 'text', example: 'knicks-3f9a1c7e5b' },
      {
        ...{ name: 'token', label: 'Access token', form: 'secret', isOptional: true },
        example: 'tk_…',
        hint: 'For a topic that is protected, or for the limits of your own account.',
      },
      { name: 'server', label: 'Server of your own', form: 'url', isOptional: true },
    ],
  },
  newTarget: ({ server, topic, token }) => ({
    kind: 'ntfy',
    server: new URL(server).origin,
    topic,
    ...(token !== undefined && { token }),
  }),
  changedTarget: (
    { token: before, ...kept },
    change: { topic?: string; token?: string | null },
  ) => {
    const { topic = kept.topic, token = before } = change;
    return { ...kept, topic, ...(token && { token }) };
  },
  readerOf: ({ server, topic }) => `${server}/${topic}`,
  recipientOf: ({ topic }) => startOf(topic),
} as const satisfies ChannelKindRow<NtfyTarget, GivenNtfy>;

export const ntfyForm: HttpForm<NtfyTarget> = {
  request: (outgoing, target) => ({
    url: `${target.server}/`,
    headers: headersOf(target),
    body: renderNtfy(outgoing, target, {
      // A message that comes twice after a crash replaces itself on the phone.
      sequenceId: outgoing.deliveryId,
      priority: priorities[loudnessOf(outgoing)],
    }),
  }),
  plainerBody: (message, { topic }) => renderPlainer(message, topic),
  secretsOf: ({ topic, token }) => [topic, ...(token === undefined ? [] : [token])],

  judge(answer, now) {
    const { id, code } = fieldsIn(answer.excerpt);
    if (isSuccess(answer)) return typeof id === 'string' ? { kind: 'sent' } : unconfirmed();
    if ([401, 403].includes(answer.status) || topicFaults.has(Number(code))) return gone(answer);
    if (answer.status === 404 || answer.status === 405) return noServer(answer);
    if (answer.status === 413) return { kind: 'reshape', reason: 'http_413' };
    if (answer.status === 400) return refused(answer);
    return mayPass(answer, waitMs(answer, now));
  },

  edits: {
    /** Only a server that knows sequences answers with one; another would show an edit as a second message. */
    receiptOf({ excerpt }) {
      const { sequence_id: id } = fieldsIn(excerpt);
      return typeof id === 'string' && /^[-_A-Za-z0-9]{1,64}$/.test(id) ? id : undefined;
    },
    request: (outgoing, target, sequenceId) => ({
      url: `${target.server}/`,
      headers: headersOf(target),
      body: renderNtfy(outgoing, target, { sequenceId, priority: priorities.quiet }),
    }),
    judge: (answer, now) => judgeEdit(answer, [401, 403, 404], waitMs(answer, now)),
  },
};

/** The server takes no such topic: invalid, or a name that it uses itself. */
const topicFaults = new Set([40009, 40010]);
const dailyQuota = 42908;
/** A server gives one request back in this time. */
const refillMs = 5_000;
const dayMs = 86_400_000;

/** Something else answers at this address. */
function noServer({ status }: PostAnswer): Judgement {
  return { kind: 'failed', reason: `http_${status}`, channelIs: 'perhaps_gone' };
}

/** The quota of a day ends at midnight UTC. */
function waitMs({ status, headers, excerpt }: PostAnswer, now: number): number | undefined {
  const asked = retryAfterMs(headers['retry-after'], now);
  if (asked !== undefined || status !== 429) return asked;
  return Number(fieldsIn(excerpt).code) === dailyQuota ? dayMs - (now % dayMs) : refillMs;
}

function headersOf({ token }: NtfyTarget): Record<string, string> {
  return { ...chatHeaders, ...(token !== undefined && { authorization: `Bearer ${token}` }) };
}

/** channels.md, ntfy: in bytes. A longer message would become an attached file. */
const titleBytes = 250;
const messageBytes = 3_900;
/** The server reads at most 8,192 bytes of JSON, in which a quote takes two. */
const jsonBytes = 8_000;
const plainerBytes = 1_000;
const mostActions = 3;

const priorities = { urgent: 5, usual: 3, quiet: 2 } as const;

function renderNtfy(
  { message }: Outgoing,
  { topic }: NtfyTarget,
  { sequenceId, priority }: { sequenceId: string; priority: number },
): string {
  const [only] = message.alerts;
  const chart = message.kind === 'alert' ? only?.chart : undefined;
  const links = phoneLinks(message);
  const shown = links.slice(0, mostActions);
  const actions = shown.map(({ label, url }) => ({ action: 'view', label, url }));
  const rest = {
    topic,
    sequence_id: sequenceId,
    title: titleOf(message),
    priority,
    tags: tagsOf(message),
    ...clickOf(message),
    ...(chart && { attach: chart.url, filename: 'chart.png' }),
    ...(actions.length > 0 && { actions }),
  };
  const room = jsonBytes - utf8Bytes(JSON.stringify({ ...rest, message: '' }));
  const limit = Math.min(messageBytes, room);
  return JSON.stringify({ ...rest, message: phoneText(message, { limit, measure: bytesAsJson }) });
}

/** A short message without picture and buttons, for a server that takes less than usual. */
function renderPlainer(message: Message, topic: string): string {
  const text = phoneText(message, { limit: plainerBytes, measure: bytesAsJson });
  return JSON.stringify({ topic, title: titleOf(message), message: text, ...clickOf(message) });
}

/** The server decodes RFC 2047 in a title ("=?UTF-8?B?…?="), so a word joiner splits its beginning. */
function titleOf(message: Message): string {
  const room = { limit: titleBytes, measure: utf8Bytes };
  return phoneTitle(message, room).replaceAll('=?', '=\u2060?');
}

/** A press on the notification opens the alert's page. */
function clickOf(message: Message): { click?: string } {
  const links = phoneLinks(message);
  const { url } = links.find(({ kind }) => kind === 'open' || kind === 'confirm') ?? links[0] ?? {};
  return url === undefined ? {} : { click: url };
}

/** Short codes of our own choice, which ntfy shows as emoji; never text from outside. */
function tagsOf({ kind, alerts }: Message): string[] {
  const [only] = alerts;
  if (kind === 'alert' && only) return [tagOf(only)];
  if (kind === 'digest') return ['tickets'];
  return [kind === 'notice' ? 'information_source' : 'ticket'];
}

function tagOf({ isRecovery, way }: AlertMessage): string {
  if (isRecovery) return 'leftwards_arrow_with_hook';
  if (way === undefined) return 'ticket';
  return way === 'down' ? 'chart_with_downwards_trend' : 'chart_with_upwards_trend';
}

/** The bytes of a text in JSON without the quotes around it. */
function bytesAsJson(text: string): number {
  return utf8Bytes(JSON.stringify(text)) - 2;
}
