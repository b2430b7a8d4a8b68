// Discord: its URLs, a message as an embed, and the meaning of its answers. Names from the market are
// escaped, and messages mention no users.
import type { PostAnswer } from '../outbound/post-answer.ts';
import { boundedWaitMs } from '../outbound/retry-after.ts';
import type { HttpForm } from './channel-kind.ts';
import { renderDiscord } from './discord-embed.ts';
import { fieldsIn, gone, isSuccess, judgeEdit, mayPass, refused } from './judgement.ts';
import { chatHeaders, chatRow, urlSecrets } from './url-target.ts';

export const discord = chatRow('discord', {
  label: 'Discord',
  isOwnUrl: (url) => /^\/[^/]+\/?$/.test(webhookPath(url)),
  takesOtherForm: (url) => /^\/[^/]+\/(slack|github)\/?$/.test(webhookPath(url)),
  acceptsOnlyItsForm: true,
  pace: { messages: 2, perMs: 1_000 },
  example: 'https://discord.com/api/webhooks/1/token',
  guide: {
    about: 'A message with a picture and buttons, kept up to date in its place.',
    steps: [
      'In Discord, open the settings of the channel, then “Integrations” and “Webhooks”.',
      'Press “New Webhook”, then “Copy Webhook URL”.',
    ],
    fields: [
      {
        ...{ name: 'url', label: 'Webhook URL', form: 'url' },
        example: 'https://discord.com/api/webhooks/…',
      },
    ],
  },
});

/** The part of a webhook's path after its id: its token, and a form that is not ours. */
function webhookPath({ hostname, pathname }: URL): string {
  if (!/^((ptb|canary)\.)?discord(app)?\.com$/.test(hostname)) return '';
  const [, path = ''] = /^\/api\/(?:v\d+\/)?webhooks\/\d+(\/.*)$/.exec(pathname) ?? [];
  return path;
}

export const discordForm: HttpForm<{ kind: 'discord'; url: string }> = {
  request: ({ message }, { url }) => ({
    url: discordUrl(url),
    headers: chatHeaders,
    body: renderDiscord(message),
  }),
  secretsOf: urlSecrets,

  judge(answer) {
    if (isSuccess(answer)) return { kind: 'sent' };
    if ([401, 403, 404].includes(answer.status) || isForum(answer)) return gone(answer);
    if (answer.status === 400 || answer.status === 413) return refused(answer);
    return mayPass(answer, waitMs(answer));
  },

  edits: {
    receiptOf: ({ excerpt }) => idIn(excerpt),
    request: ({ message }, { url }, receipt) => ({
      method: 'PATCH',
      url: messageUrl(url, receipt),
      headers: chatHeaders,
      body: renderDiscord(message),
    }),
    // 404 is an unknown message (code 10008) or an unknown webhook (10015); the next message finds out which.
    judge: (answer) => judgeEdit(answer, [401, 403, 404], waitMs(answer)),
  },
};

/** The id of the message that Discord created; a snowflake. */
function idIn(body: string): string | undefined {
  const { id } = fieldsIn(body);
  return typeof id === 'string' && /^\d{1,20}$/.test(id) ? id : undefined;
}

/** The URL of a sent message. It keeps the webhook's `thread_id`, without which Discord does not find it. */
function messageUrl(webhookUrl: string, id: string): string {
  const url = new URL(discordUrl(webhookUrl));
  url.searchParams.delete('wait');
  url.pathname = `${url.pathname.replace(/\/$/, '')}/messages/${id}`;
  return url.href;
}

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
  const { retry_after: seconds } = fieldsIn(body);
  return typeof seconds === 'number' ? seconds : undefined;
}

/**
 * The URL to post to: with `wait` the answer says whether the message was created; without
 * `with_components` Discord drops the buttons of a webhook that no application owns.
 */
export function discordUrl(webhookUrl: string): string {
  const url = new URL(webhookUrl);
  url.searchParams.set('wait', 'true');
  url.searchParams.set('with_components', 'true');
  return url.href;
}
