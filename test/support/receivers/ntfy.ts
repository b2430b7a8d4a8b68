// ntfy, emulated: a server that takes messages as JSON at its root, with its limits in bytes, its bucket of 60
// requests that refills one every 5 seconds, and its errors. A message with a known sequence id replaces the
// notification with that id.
import type { HttpRequest } from '#shared/delivery/channels/channel-kind.ts';
import type { PostAnswer } from '#shared/delivery/outbound/post-answer.ts';
import { TokenBucket } from './rates.ts';
import { type EmulatedReceiver, headerOf, isObject, jsonAnswer, objectIn } from './receiver.ts';
import {
  asItIs,
  bareAddress,
  joined,
  readText,
  type ShownMessage,
  type ShownText,
  syntaxOf,
  type TextRule,
  webAddress,
} from './shown-text.ts';

type Body = Record<string, unknown>;

const messageBytes = 4_096;
/** JSON may be twice as long as a message, for escapes and the other fields. */
const jsonBytes = 2 * messageBytes;
const titleBytes = 1_024;
const tagsBytes = 512;

export interface NtfyServer {
  /** The token that may publish; undefined if everybody may. */
  token?: string;
  /** The most messages a day. */
  messagesPerDay?: number;
}

export interface ShownNotification extends ShownMessage {
  topic: string;
  priority: number;
  /** How often it was shown with a sound: once, or again for each replacement that is not quiet. */
  sounds: number;
}

export function createNtfyServer({ token, messagesPerDay = 250 }: NtfyServer = {}) {
  const bucket = new TokenBucket(60, 5_000);
  const messages: ShownNotification[] = [];
  let published = 0;

  function publish(body: Body, now: number): PostAnswer {
    if (published >= messagesPerDay) {
      return refusal(429, 42908, 'limit reached: daily message quota reached');
    }
    published += 1;
    const id = `m${String(published).padStart(11, '0')}`;
    const sequence = typeof body.sequence_id === 'string' ? body.sequence_id : id;
    const priority = Number(body.priority ?? 3);
    const index = messages.findIndex((message) => message.id === sequence);
    const sounds = (messages[index]?.sounds ?? 0) + (priority > 2 ? 1 : 0);
    const shown = { ...shownOf(body), id: sequence, at: now };
    const message = { ...shown, topic: String(body.topic), priority, sounds };
    if (index < 0) messages.push(message);
    else messages[index] = message;
    const { topic, title } = body;
    return jsonAnswer(200, {
      ...{ id, time: Math.floor(now / 1_000), event: 'message', topic, title },
      ...(sequence !== id && { sequence_id: sequence }),
    });
  }

  return {
    messages,
    answer(request: HttpRequest, now: number): PostAnswer {
      if (bucket.take(now) > 0) return refusal(429, 42901, 'limit reached: too many requests');
      const given = headerOf(request, 'authorization');
      if (given !== '' && given !== `Bearer ${token}`) return refusal(401, 40101, 'unauthorized');
      if (token !== undefined && given === '') return refusal(403, 40301, 'forbidden');
      if (new URL(request.url).pathname !== '/') return refusal(404, 40401, 'page not found');
      if (Buffer.byteLength(request.body, 'utf8') > jsonBytes) {
        return refusal(413, 41303, 'JSON body too large');
      }
      const body = objectIn(request.body);
      if (!body) return refusal(400, 40024, 'invalid request: request body must be valid JSON');
      return faultOf(body) ?? publish(body, now);
    },
  } satisfies EmulatedReceiver;
}

function faultOf(body: Body): PostAnswer | undefined {
  const { topic, title = '', message = '', tags = [], priority = 3, attach, icon, actions } = body;
  if (!/^[-_A-Za-z0-9]{1,64}$/.test(String(topic))) {
    return refusal(400, 40009, 'invalid request: topic invalid');
  }
  if (bytesOf(title) > titleBytes) return refusal(400, 40057, 'invalid request: title too long');
  if (!Array.isArray(tags) || bytesOf(tags.join(',')) > tagsBytes) {
    return refusal(400, 40058, 'invalid request: tags too long');
  }
  if (![1, 2, 3, 4, 5].includes(Number(priority))) {
    return refusal(400, 40007, 'invalid priority parameter');
  }
  if (attach !== undefined && !/^https?:\/\//.test(String(attach))) {
    return refusal(400, 40013, 'invalid request: attachment URL is invalid');
  }
  if (icon !== undefined && !/^https?:\/\//.test(String(icon))) {
    return refusal(400, 40021, 'invalid request: icon URL is invalid');
  }
  // A longer message would become an attached file, which nobody reads on a phone.
  if (bytesOf(message) > messageBytes) return refusal(413, 41301, 'attachment too large');
  if (actionFaults(actions)) return refusal(400, 40018, 'invalid request: actions invalid');
  return undefined;
}

function actionFaults(actions: unknown): boolean {
  if (actions === undefined) return false;
  if (!Array.isArray(actions) || actions.length > 3) return true;
  return actions.some((action) => {
    const { action: kind, label, url } = isObject(action) ? action : {};
    return kind !== 'view' || !label || !/^https?:\/\//.test(String(url));
  });
}

function refusal(status: number, code: number, error: string): PostAnswer {
  return jsonAnswer(status, { code, http: status, error });
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(String(value), 'utf8');
}

/** RFC 2047: the server decodes it in titles, because JSON becomes headers inside it. */
const encodedWord: TextRule = {
  pattern: /=\?[^?\s]+\?(?<encoding>[BbQq])\?(?<encoded>[^?]*)\?=/,
  kind: 'style',
  show: ({ encoding = '', encoded = '' }) =>
    /b/i.test(encoding) ? Buffer.from(encoded, 'base64').toString('utf8') : encoded,
};
const addresses = (pattern: RegExp): TextRule => ({
  pattern,
  kind: 'link',
  show: (_, whole) => whole,
  url: (_, whole) => whole,
});
const titleText = syntaxOf([encodedWord]);
const bodyText = syntaxOf([addresses(webAddress), addresses(bareAddress)]);

function shownOf({ title = '', message, tags = [], click, attach, actions = [] }: Body) {
  const shownTitle = readText(String(title), titleText);
  const body = readText(message ? String(message) : 'triggered', bodyText);
  const icons = (tags as string[]).map((tag) => ({ kind: 'emoji', text: tag }) as const);
  const parts: ShownText[] = [
    shownTitle,
    { ...body, marks: [...icons, ...body.marks] },
    ...(typeof click === 'string' ? [linked('link', '', click)] : []),
    ...(typeof attach === 'string' ? [linked('image', '', attach)] : []),
    ...(actions as Body[]).map(({ label, url }) => linked('button', String(label), String(url))),
  ];
  return { ...joined(parts), notification: joined([shownTitle, asItIs(body.text)]) };
}

function linked(kind: 'link' | 'image' | 'button', text: string, url: string): ShownText {
  return { text, marks: [{ kind, text, url }] };
}
