// Discord, emulated: an incoming webhook that creates and edits messages, with its limits, its bucket of 5
// requests in 2 seconds, and its errors.
import type { PostAnswer } from '#shared/delivery/outbound/post-answer.ts';
import { bodyFaults, faultBody, listIn } from './discord-limits.ts';
import { readInline, readMarkdown } from './discord-text.ts';
import { FixedWindow } from './rates.ts';
import { type EmulatedReceiver, isObject, jsonAnswer, objectIn, textAnswer } from './receiver.ts';
import { asItIs, joined, type ShownMessage, type ShownText } from './shown-text.ts';

type Body = Record<string, unknown>;

/** An incoming webhook of a text channel. `id` and `token` are the parts of its URL. */
export function createDiscordWebhook({
  id,
  token,
}: {
  id: string;
  token: string;
}): EmulatedReceiver {
  const window = new FixedWindow(5, 2_000);
  const messages: ShownMessage[] = [];

  function create(body: Body, query: URLSearchParams, now: number): PostAnswer {
    const message = shownOf(
      body,
      query,
      `${1_000_000_000_000_000_000n + BigInt(messages.length)}`,
      now,
    );
    if (message.text.trim() === '') {
      return jsonAnswer(400, { message: 'Cannot send an empty message', code: 50006 });
    }
    messages.push(message);
    const isAwaited = query.get('wait') === 'true';
    return isAwaited ? jsonAnswer(200, { id: message.id, type: 0 }) : textAnswer(204, '');
  }

  function edit(body: Body, query: URLSearchParams, messageId: string): PostAnswer {
    const index = messages.findIndex((message) => message.id === messageId);
    const before = messages[index];
    if (!before) return jsonAnswer(404, { message: 'Unknown Message', code: 10008 });
    messages[index] = shownOf(body, query, messageId, before.at);
    return jsonAnswer(200, { id: messageId, type: 0 });
  }

  return {
    messages,
    answer(request, now) {
      const { pathname, searchParams } = new URL(request.url);
      const [, webhookId, given, messageId] =
        /^\/api\/(?:v\d+\/)?webhooks\/(\d+)\/([^/]+)(?:\/messages\/(\d+))?\/?$/.exec(pathname) ??
        [];
      const taken = window.take(now);
      const headers = rateHeaders(taken, window.limit, now);
      if (!taken.isAllowed) return tooFast(taken.resetAfterMs, headers);
      if (webhookId !== id) {
        return jsonAnswer(404, { message: 'Unknown Webhook', code: 10015 }, headers);
      }
      if (given !== token) {
        return jsonAnswer(401, { message: 'Invalid Webhook Token', code: 50027 }, headers);
      }
      const body = objectIn(request.body);
      if (!body) {
        return jsonAnswer(400, { message: '400: Bad Request', code: 0 }, headers);
      }
      const faults = bodyFaults(body);
      if (faults.length > 0) return jsonAnswer(400, faultBody(faults), headers);
      const answer =
        request.method === 'PATCH'
          ? edit(body, searchParams, messageId ?? '')
          : create(body, searchParams, now);
      return { ...answer, headers: { ...answer.headers, ...headers } };
    },
  };
}

function rateHeaders(
  { remaining, resetAfterMs }: { remaining: number; resetAfterMs: number },
  limit: number,
  now: number,
): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String((now + resetAfterMs) / 1_000),
    'x-ratelimit-reset-after': String(resetAfterMs / 1_000),
    'x-ratelimit-bucket': 'b3f1c0',
  };
}

function tooFast(resetAfterMs: number, headers: Record<string, string>): PostAnswer {
  const seconds = resetAfterMs / 1_000;
  const body = { message: 'You are being rate limited.', retry_after: seconds, global: false };
  return jsonAnswer(429, body, {
    ...headers,
    'retry-after': String(Math.ceil(seconds)),
    'x-ratelimit-scope': 'user',
  });
}

/** A message as a reader sees it. Without `with_components` the buttons of a webhook are dropped. */
function shownOf(body: Body, query: URLSearchParams, id: string, at: number): ShownMessage {
  const { content, embeds, components } = body;
  const hasButtons = query.get('with_components') === 'true';
  const parts = [
    ...(typeof content === 'string' ? [pinging(readMarkdown(content), body)] : []),
    ...listIn(embeds).flatMap(readEmbed),
    ...(hasButtons ? listIn(components).flatMap(readRow) : []),
  ];
  const [first = asItIs('')] = parts;
  return { ...joined(parts), id, at, notification: first };
}

/** Only a content can mention, and only whom `allowed_mentions` allows. A name that is shown as a mention is one too. */
function pinging(shown: ShownText, { allowed_mentions: allowed }: Body): ShownText {
  const isSilent = isObject(allowed) && Array.isArray(allowed.parse) && allowed.parse.length === 0;
  if (isSilent) return shown;
  return { ...shown, text: `${shown.text} (mentions allowed)` };
}

function readEmbed(embed: Body): ShownText[] {
  const { title, url, description, fields, footer, author, image } = embed;
  return [
    ...(isObject(author) ? [asItIs(String(author.name))] : []),
    ...(typeof title === 'string' ? [titled(readInline(title), url)] : []),
    ...(typeof description === 'string' ? [readMarkdown(description)] : []),
    ...listIn(fields).flatMap(({ name, value }) => [
      readInline(String(name)),
      readMarkdown(String(value)),
    ]),
    ...(isObject(image) ? [marked('image', '', String(image.url))] : []),
    ...(isObject(footer) ? [asItIs(String(footer.text))] : []),
  ];
}

function titled(shown: ShownText, url: unknown): ShownText {
  if (typeof url !== 'string') return shown;
  return { ...shown, marks: [{ kind: 'link', text: shown.text, url }, ...shown.marks] };
}

function readRow(row: Body): ShownText[] {
  return listIn(row.components).map(({ label, url }) =>
    marked('button', String(label), String(url)),
  );
}

function marked(kind: 'button' | 'image', text: string, url: string): ShownText {
  return { text, marks: [{ kind, text, url }] };
}
