// Discord: its URLs, a message as an embed, and the meaning of its answers. Names from the market are
// escaped, and messages mention no users.
import { type AlertMessage, factsOf, type Message } from '../message/message.ts';
import { fitInto } from '../message/plain-text.ts';
import type { PostAnswer } from '../outbound/post-answer.ts';
import { boundedWaitMs } from '../outbound/retry-after.ts';
import type { HttpForm } from './channel-kind.ts';
import { gone, isSuccess, mayPass, refused } from './judgement.ts';
import { chatHeaders, chatRow } from './url-target.ts';

export const discord = chatRow('discord', {
  label: 'Discord',
  // The URLs that end in /slack or /github take other bodies, so they don't match.
  isOwnUrl: ({ hostname, pathname }) =>
    /^((ptb|canary)\.)?discord(app)?\.com$/.test(hostname) &&
    /^\/api\/(v\d+\/)?webhooks\/\d+\/[^/]+\/?$/.test(pathname),
  acceptsOnlyItsForm: true,
  messagesPerSecond: 2,
  example: 'https://discord.com/api/webhooks/1/token',
});

export const discordForm: HttpForm<{ kind: 'discord'; url: string }> = {
  request: ({ message }, { url }) => ({
    url: discordUrl(url),
    headers: chatHeaders,
    body: renderDiscord(message),
  }),

  judge(answer) {
    if (isSuccess(answer)) return { kind: 'sent' };
    if ([401, 403, 404].includes(answer.status) || isForum(answer)) return gone(answer);
    if (answer.status === 400 || answer.status === 413) return refused(answer);
    return mayPass(answer, waitMs(answer));
  },
};

/** A webhook of a forum channel, where each message needs a thread's name (error codes 22000x). */
function isForum({ status, excerpt }: PostAnswer): boolean {
  return status === 400 && /"code":\s*22000[1-3]\b/.test(excerpt);
}

/**
 * The wait that Discord asks for: `retry_after` of its JSON, in seconds; else the header that says
 * when the bucket refills. Its Retry-After is not read, since it has come in milliseconds (B66).
 */
function waitMs({ excerpt, headers }: PostAnswer): number | undefined {
  const seconds = secondsIn(excerpt) ?? Number(headers['x-ratelimit-reset-after'] ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? boundedWaitMs(seconds * 1_000) : undefined;
}

function secondsIn(body: string): number | undefined {
  try {
    const { retry_after: seconds } = JSON.parse(body) as { retry_after?: unknown };
    return typeof seconds === 'number' ? seconds : undefined;
  } catch {
    return undefined;
  }
}

/** channels.md, Discord webhook: hard limits, and our budget for everything together (5,800). */
const titleLimit = 256;
const descriptionLimit = 4_096;
const fieldNameLimit = 256;
const fieldValueLimit = 1_024;
const fieldsLimit = 25;
const totalBudget = 5_800;
const digestLineLimit = 300;

interface Field {
  name: string;
  value: string;
  inline: boolean;
}

/** The JSON body of one message. */
export function renderDiscord(message: Message): string {
  const title = escaped(message.headline, titleLimit);
  const links = linksOf(message);
  const description = descriptionOf(message, links);
  const [only] = message.alerts;
  const fields =
    message.kind === 'alert' && only
      ? fieldsOf(only, totalBudget - title.length - description.length)
      : [];
  return JSON.stringify({
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title,
        ...(message.action && { url: message.action.url }),
        description,
        fields,
      },
    ],
  });
}

/** The URL to post to: with `wait` the answer says whether the message was created. */
export function discordUrl(webhookUrl: string): string {
  const url = new URL(webhookUrl);
  url.searchParams.set('wait', 'true');
  return url.href;
}

function linksOf({ action, stopUrl }: Message): string {
  const links = [
    ...(action ? [`[${action.label}](${action.url})`] : []),
    ...(stopUrl === undefined ? [] : [`[Stop or snooze](${stopUrl})`]),
  ];
  return links.join(' · ');
}

function descriptionOf(message: Message, links: string): string {
  // Discord cuts a title at 256 characters, so repeat a longer headline here.
  const isCut = message.kind === 'alert' && message.headline.length > titleLimit;
  const lines = [...(isCut ? [message.headline] : []), ...message.paragraphs];
  const room = descriptionLimit - links.length - 2;
  const intro = lines.map((line) => escaped(line, 1_000)).join('\n');
  const body = message.kind === 'digest' ? digestText(message.alerts, room - intro.length - 1) : '';
  return [intro, body, links].filter((part) => part !== '').join('\n');
}

function digestText(alerts: readonly AlertMessage[], limit: number): string {
  const lines: string[] = [];
  let room = limit - `and ${alerts.length} more`.length;
  for (const { headline, moves } of alerts) {
    const line = `• ${escaped(headline, digestLineLimit)}${moves ? `\n  ${moves.text}` : ''}`;
    room -= line.length + 1;
    if (room < 0) break;
    lines.push(line);
  }
  const left = alerts.length - lines.length;
  return [...lines, ...(left > 0 ? [`and ${left} more`] : [])].join('\n');
}

function fieldsOf(alert: AlertMessage, budget: number): Field[] {
  const facts = factsOf(alert).map(([name, value]) => ({ name, value, inline: true }));
  const listings = alert.listings.map((value, index) => ({
    name: `Listing ${index + 1}`,
    value,
    inline: false,
  }));
  const fields: Field[] = [];
  let room = budget;
  for (const { name, value, inline } of [...facts, ...listings].slice(0, fieldsLimit)) {
    const field = {
      name: escaped(name, fieldNameLimit),
      value: escaped(value, fieldValueLimit),
      inline,
    };
    room -= field.name.length + field.value.length;
    if (room < 0) break;
    fields.push(field);
  }
  return fields;
}

function escaped(text: string, limit: number): string {
  return fitInto(text, { limit, escape: escapeDiscord });
}

/**
 * A backslash before each character that starts markup, a mention, a masked link or (the slash) an address.
 */
function escapeDiscord(text: string): string {
  return text.replace(/[\\*_~`|<>[\]#@/]/g, '\\$&');
}
