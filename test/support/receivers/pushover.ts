// Pushover, emulated: messages.json with its limits in characters, the monthly limit of an application, and its
// errors. Apps make links of the addresses in a message.
import type { HttpRequest } from '#shared/delivery/channels/channel-kind.ts';
import type { PostAnswer } from '#shared/delivery/outbound/post-answer.ts';
import { type EmulatedReceiver, headerOf, jsonAnswer, objectIn } from './receiver.ts';
import {
  asItIs,
  bareAddress,
  joined,
  readText,
  type ShownMessage,
  syntaxOf,
  type TextRule,
  webAddress,
} from './shown-text.ts';

type Body = Record<string, unknown>;

export interface PushoverApp {
  token: string;
  /** The users that have a device, with the names of their devices. */
  users: Record<string, readonly string[]>;
  /** @default 10,000 */
  messagesPerMonth?: number;
  /** Epoch seconds at which the month ends. */
  resetsAt?: number;
}

export interface ShownPush extends ShownMessage {
  user: string;
  device: string | undefined;
  priority: number;
  timestamp: number | undefined;
}

export function createPushoverApp(app: PushoverApp) {
  const { messagesPerMonth = 10_000, resetsAt = 1_774_994_400 } = app;
  const messages: ShownPush[] = [];

  return {
    messages,
    answer(request: HttpRequest, now: number): PostAnswer {
      const { pathname } = new URL(request.url);
      if (pathname !== '/1/messages.json') return jsonAnswer(404, { status: 0 });
      const body = bodyOf(request);
      const limits = {
        'x-limit-app-limit': String(messagesPerMonth),
        'x-limit-app-remaining': String(messagesPerMonth - messages.length),
        'x-limit-app-reset': String(resetsAt),
      };
      const requestId = `r${messages.length}`;
      const fault = faultOf(body, app);
      if (fault) return jsonAnswer(400, { ...fault, status: 0, request: requestId });
      if (messages.length >= messagesPerMonth) {
        const errors = ['application has exceeded its monthly message limit'];
        return jsonAnswer(429, { errors, status: 0, request: requestId }, limits);
      }
      messages.push(shownOf(body, requestId, now));
      return jsonAnswer(200, { status: 1, request: requestId }, limits);
    },
  } satisfies EmulatedReceiver;
}

function bodyOf(request: HttpRequest): Body {
  if (headerOf(request, 'content-type').startsWith('application/json')) {
    return objectIn(request.body) ?? {};
  }
  return Object.fromEntries(new URLSearchParams(request.body));
}

interface Fault {
  errors: string[];
  [field: string]: unknown;
}

function faultOf(body: Body, { token, users }: PushoverApp): Fault | undefined {
  const user = String(body.user);
  if (body.token !== token) {
    return { token: 'invalid', errors: ['application token is invalid'] };
  }
  const devices = users[user];
  if (!devices) {
    const words = 'user identifier is not a valid user, group, or subscribed user key';
    return { user: 'invalid', errors: [words] };
  }
  const device = body.device === undefined ? undefined : String(body.device);
  if (device !== undefined && !devices.includes(device)) {
    return { device: 'invalid for this user', errors: ['device name is not valid for user'] };
  }
  if (typeof body.message !== 'string' || body.message === '') {
    return { message: 'cannot be blank', errors: ['message cannot be blank'] };
  }
  const tooLong = limits.find(([field, most]) => lengthOf(body[field]) > most);
  if (tooLong) {
    const [field, most] = tooLong;
    return { [field]: 'is too long', errors: [`${field} is too long (over ${most} characters)`] };
  }
  const priority = Number(body.priority ?? 0);
  if (![-2, -1, 0, 1].includes(priority)) {
    return { priority: 'is invalid', errors: ['priority is invalid'] };
  }
  return undefined;
}

const limits = [
  ['message', 1_024],
  ['title', 250],
  ['url', 512],
  ['url_title', 100],
] as const;

/** In characters of UTF-8: one of several UTF-16 units counts once. */
function lengthOf(value: unknown): number {
  return typeof value === 'string' ? [...value].length : 0;
}

const address = (pattern: RegExp): TextRule => ({
  pattern,
  kind: 'link',
  show: (_, whole) => whole,
  url: (_, whole) => whole,
});
const html: TextRule = { pattern: /<\/?[a-z][^>]*>/, kind: 'style', show: () => '' };
const plainText = syntaxOf([address(webAddress), address(bareAddress)]);
const htmlText = syntaxOf([html, address(webAddress), address(bareAddress)]);

function shownOf(body: Body, id: string, at: number): ShownPush {
  const isHtml = String(body.html) === '1';
  const title = asItIs(String(body.title ?? ''));
  const text = readText(String(body.message), isHtml ? htmlText : plainText);
  const url = body.url === undefined ? undefined : String(body.url);
  const label = String(body.url_title ?? url);
  const link =
    url === undefined
      ? []
      : [{ text: label, marks: [{ kind: 'button', text: label, url } as const] }];
  return {
    ...joined([title, text, ...link]),
    ...{ id, at, notification: joined([title, text]) },
    user: String(body.user),
    device: body.device === undefined ? undefined : String(body.device),
    priority: Number(body.priority ?? 0),
    timestamp: body.timestamp === undefined ? undefined : Number(body.timestamp),
  };
}
