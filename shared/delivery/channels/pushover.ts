// Pushover: a user's key and an application's token; a message as plain text with one link, and the meaning of
// the service's answers. Both keys are secrets: with them anybody can send to the user's devices.
import * as z from 'zod';
import { newChannelSettings } from '#shared/watchlist/channel.ts';
import type { PostAnswer } from '../outbound/post-answer.ts';
import { boundedWaitMs, retryAfterMs } from '../outbound/retry-after.ts';
import type { ChannelKindRow, HttpForm, Outgoing } from './channel-kind.ts';
import {
  fieldsIn,
  gone,
  isSuccess,
  type Judgement,
  mayPass,
  refused,
  unconfirmed,
} from './judgement.ts';
import { loudnessOf } from './loudness.ts';
import { phoneLinks, phoneText, phoneTitle } from './phone-text.ts';
import { chatHeaders, startOf } from './url-target.ts';

const key = z.string().regex(/^[A-Za-z0-9]{30}$/, 'must have 30 letters and digits');
const userKey = key.meta({
  description: 'The key of the user or group, from the dashboard of Pushover; write-only',
});
const appToken = key.meta({
  description: 'The API token of an application that you made at Pushover; write-only',
});
const device = z
  .string()
  .regex(/^[-_A-Za-z0-9]{1,25}$/, 'must have 1 to 25 letters, digits, - and _')
  .meta({ description: 'The name of one device. Absent: all devices of the user' });

const target = z.object({
  kind: z.literal('pushover'),
  userKey: z.string().min(1),
  appToken: z.string().min(1),
  device: z.string().optional(),
});
export type PushoverTarget = z.infer<typeof target>;

interface GivenPushover {
  user_key: string;
  app_token: string;
  device?: string | undefined;
}

export const pushover = {
  kind: 'pushover',
  label: 'Pushover',
  sender: 'webhook',
  readBy: 'people',
  needsConfirmation: false,
  slotsOf: 'channel',
  pace: { messages: 1, perMs: 1_000 },
  wanted: z
    .strictObject({
      kind: z.literal('pushover'),
      user_key: userKey,
      app_token: appToken,
      device: device.optional(),
      ...newChannelSettings,
    })
    .meta({ id: 'PushoverChannelRequest' }),
  changes: { user_key: userKey, app_token: appToken, device: device.nullable() },
  target,
  host: 'api.pushover.net',
  example: {
    user_key: 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG',
    app_token: 'azGDORePK8gMaC0QOYAMyEEuzJnyUi',
  },
  guide: {
    about: 'A notification on your phone with one button; urgent ones are loud.',
    steps: [
      'Sign in at pushover.net. Your user key is on the first page.',
      'Press “Create an Application/API Token”, name it Getin, and copy its token.',
    ],
    fields: [
      { name: 'user_key', label: 'User key', form: 'secret', example: '30 letters and digits' },
      {
        ...{ name: 'app_token', label: 'Token of the application', form: 'secret' },
        example: '30 letters and digits',
      },
      {
        ...{ name: 'device', label: 'Device', form: 'text', isOptional: true },
        hint: 'The name of one device. Without it all of your devices get the messages.',
      },
    ],
  },
  newTarget: ({ user_key, app_token, device }) => ({
    kind: 'pushover',
    userKey: user_key,
    appToken: app_token,
    ...(device !== undefined && { device }),
  }),
  changedTarget: (
    { userKey, appToken, device: before },
    change: Partial<Omit<GivenPushover, 'device'>> & { device?: string | null },
  ) => {
    const { user_key = userKey, app_token = appToken, device = before } = change;
    return {
      kind: 'pushover',
      userKey: user_key,
      appToken: app_token,
      ...(device && { device }),
    } as const;
  },
  readerOf: ({ userKey, device = '' }) => `pushover ${userKey} ${device}`,
  recipientOf: ({ userKey, device }) =>
    [startOf(userKey), ...(device === undefined ? [] : [device])].join(' '),
} as const satisfies ChannelKindRow<PushoverTarget, GivenPushover>;

const messagesUrl = 'https://api.pushover.net/1/messages.json';

export const pushoverForm: HttpForm<PushoverTarget> = {
  request: (outgoing, target) => ({
    url: messagesUrl,
    headers: chatHeaders,
    body: renderPushover(outgoing, target),
  }),
  secretsOf: ({ userKey, appToken }) => [userKey, appToken],

  judge(answer, now) {
    const body = fieldsIn(answer.excerpt);
    if (isSuccess(answer) && body.status === 1) return { kind: 'sent' };
    if (isSuccess(answer) && body.status === undefined) return unconfirmed();
    if (answer.status === 429) return throttledUntilReset(answer, now);
    if (answer.status >= 500) return laterAtLeast(answer, now);
    if (answer.status >= 300 && answer.status < 400) return mayPass(answer, undefined);
    return isKeyFault(body) ? gone(answer) : refused(answer);
  },
};

/** The fields that are invalid have a word for it; a wrong device is as final as a wrong key. */
function isKeyFault({ user, token, device, errors }: Record<string, unknown>): boolean {
  if ([user, token, device].some((fault) => typeof fault === 'string')) return true;
  const words = Array.isArray(errors) ? errors.join('; ') : '';
  return /(user|group|application|token|device)\b.*\b(invalid|not (a )?valid|disabled|no active)/i.test(
    words,
  );
}

/** The application has used up its messages of the month. */
function throttledUntilReset(answer: PostAnswer, now: number): Judgement {
  const resetAt = Number(answer.headers['x-limit-app-reset'] ?? Number.NaN) * 1_000;
  const asked = retryAfterMs(answer.headers['retry-after'], now);
  const afterMs = resetAt > now ? boundedWaitMs(resetAt - now) : asked;
  return { kind: 'throttled', reason: 'http_429', afterMs };
}

/** Pushover asks its users to wait at least this long after its own fault. */
const leastWaitMs = 5_000;

function laterAtLeast(answer: PostAnswer, now: number): Judgement {
  const asked = retryAfterMs(answer.headers['retry-after'], now);
  const judged = mayPass(answer, asked);
  return judged.kind === 'throttled'
    ? judged
    : {
        kind: 'retry',
        reason: `http_${answer.status}`,
        afterMs: Math.max(asked ?? 0, leastWaitMs),
      };
}

/** pushover.net/api: in characters of UTF-8, whatever their bytes. */
const titleLimit = 250;
const messageLimit = 1_024;
const urlLimit = 512;
const urlTitleLimit = 100;

const priorities = { urgent: 1, usual: 0, quiet: -1 } as const;

/** A message as plain text. It has one link; the others are lines of its text, where apps make links of them. */
function renderPushover(outgoing: Outgoing, { userKey, appToken, device }: PushoverTarget): string {
  const { message, told, dueAt } = outgoing;
  const links = phoneLinks(message).filter(({ url }) => url.length <= urlLimit);
  const first = links.find(({ kind }) => kind === 'open' || kind === 'confirm') ?? links[0];
  const closing = links
    .filter((link) => link !== first)
    .map(({ label, url }) => `${label}: ${url}`);
  const seenAt = told[0]?.alert.observedAt ?? dueAt;
  return JSON.stringify({
    token: appToken,
    user: userKey,
    ...(device !== undefined && { device }),
    title: phoneTitle(message, { limit: titleLimit, measure: characters }),
    message: phoneText(message, { limit: messageLimit, measure: characters }, closing),
    ...(first && { url: first.url, url_title: first.label.slice(0, urlTitleLimit) }),
    priority: priorities[loudnessOf(outgoing)],
    timestamp: Math.floor(seenAt / 1_000),
  });
}

function characters(text: string): number {
  return [...text].length;
}
