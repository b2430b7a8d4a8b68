// Slack, emulated: an incoming webhook and the Web API's chat.postMessage and chat.update, with their limits,
// rates and errors.
import type { HttpRequest } from '#shared/delivery/channels/channel-kind.ts';
import type { PostAnswer } from '#shared/delivery/outbound/post-answer.ts';
import { TokenBucket } from './rates.ts';
import { type EmulatedReceiver, headerOf, jsonAnswer, objectIn, textAnswer } from './receiver.ts';
import type { ShownMessage } from './shown-text.ts';
import { blockFaults, charactersIn, readBlocks } from './slack-blocks.ts';
import { readTopText } from './slack-text.ts';

type Payload = Record<string, unknown>;

/** Seen refused: blocks of more than about 13,200 characters together (bolt-js#2509). */
const blocksLimit = 13_200;
/** A longer text is refused by the Web API; an edit allows fewer, counted in bytes. */
const textLimit = 40_000;
const editedTextBytes = 4_000;
/** One message a second for each channel, and short bursts. */
const burst = 3;

/** What Slack refuses in a message; undefined if nothing. */
function faultOf({ text, blocks }: Payload): { error: string; details: string[] } | undefined {
  if (blocks !== undefined) {
    if (!Array.isArray(blocks)) return { error: 'invalid_blocks_format', details: [] };
    const details = blockFaults(blocks);
    if (details.length > 0) return { error: 'invalid_blocks', details };
    if (charactersIn(blocks) > blocksLimit) return { error: 'msg_blocks_too_long', details };
  }
  const hasBlocks = Array.isArray(blocks) && blocks.length > 0;
  if (!hasBlocks && (typeof text !== 'string' || text.trim() === '')) {
    return { error: 'no_text', details: [] };
  }
  return undefined;
}

function shownOf(payload: Payload, id: string, at: number): ShownMessage {
  const { text = '', blocks, mrkdwn } = payload;
  const notification = readTopText(String(text).slice(0, textLimit), mrkdwn !== false);
  const body = Array.isArray(blocks) && blocks.length > 0 ? readBlocks(blocks) : notification;
  return { ...body, id, at, notification };
}

/** An incoming webhook. It answers in text, and can't edit. */
export function createSlackWebhook(): EmulatedReceiver {
  const bucket = new TokenBucket(burst, 1_000);
  const messages: ShownMessage[] = [];
  return {
    messages,
    answer(request, now) {
      const waitMs = bucket.take(now);
      if (waitMs > 0) return textAnswer(429, 'rate_limited', retryAfter(waitMs));
      const payload = objectIn(request.body);
      if (!payload) return textAnswer(400, 'invalid_payload');
      const fault = faultOf(payload);
      if (fault) return textAnswer(400, fault.error);
      messages.push(shownOf(payload, `${now / 1_000}`, now));
      return textAnswer(200, 'ok');
    },
  };
}

export interface SlackWorkspace {
  /** The valid token. */
  token: string;
  /** The state of each channel, by id; a channel without one does not exist. */
  channels: Record<string, 'joined' | 'is_archived' | 'not_in_channel'>;
  /** An error that every call gets, such as `internal_error`. */
  failure?: string;
}

/** The Web API. It answers 200 to everything that it understands, and says in JSON what was wrong. */
export function createSlackApi(workspace: SlackWorkspace): EmulatedReceiver {
  const buckets = new Map<string, TokenBucket>();
  const messages: ShownMessage[] = [];
  let sequence = 0;

  function post(payload: Payload, now: number): PostAnswer {
    const channel = String(payload.channel);
    const bucket = buckets.get(channel) ?? new TokenBucket(burst, 1_000);
    buckets.set(channel, bucket);
    const waitMs = bucket.take(now);
    if (waitMs > 0) {
      return jsonAnswer(429, { ok: false, error: 'ratelimited' }, retryAfter(waitMs));
    }
    const fault = faultOf(payload);
    if (fault) return refusal(fault.error, fault.details);
    if (String(payload.text ?? '').length > textLimit) return refusal('msg_too_long');
    sequence += 1;
    const ts = `${Math.floor(now / 1_000)}.${String(sequence).padStart(6, '0')}`;
    messages.push(shownOf(payload, ts, now));
    return jsonAnswer(200, { ok: true, channel, ts, message: { text: payload.text, ts } });
  }

  function update(payload: Payload, now: number): PostAnswer {
    const index = messages.findIndex(({ id }) => id === payload.ts);
    if (index < 0) return refusal('message_not_found');
    const fault = faultOf(payload);
    if (fault) return refusal(fault.error, fault.details);
    const { text = '' } = payload;
    if (Buffer.byteLength(String(text), 'utf8') > editedTextBytes) return refusal('msg_too_long');
    const edited = shownOf(payload, String(payload.ts), messages[index]?.at ?? now);
    messages[index] = edited;
    return jsonAnswer(200, { ok: true, channel: payload.channel, ts: payload.ts, text });
  }

  return {
    messages,
    answer(request, now) {
      const payload = objectIn(request.body);
      const refused = whyRefused(workspace, request, payload);
      if (refused !== undefined || !payload) return refusal(refused ?? 'invalid_json');
      const method = new URL(request.url).pathname.split('/').at(-1);
      if (method === 'chat.postMessage') return post(payload, now);
      if (method === 'chat.update') return update(payload, now);
      return refusal('unknown_method');
    },
  };
}

function whyRefused(
  { token, channels, failure }: SlackWorkspace,
  request: HttpRequest,
  payload: Payload | undefined,
): string | undefined {
  if (failure !== undefined) return failure;
  const authorization = headerOf(request, 'authorization');
  if (authorization === '') return 'not_authed';
  if (authorization !== `Bearer ${token}`) return 'invalid_auth';
  if (!headerOf(request, 'content-type').startsWith('application/json')) return 'invalid_post_type';
  if (!payload) return 'invalid_json';
  const state = channels[String(payload.channel)];
  if (state === undefined) return 'channel_not_found';
  return state === 'joined' ? undefined : state;
}

function refusal(error: string, details: readonly string[] = []): PostAnswer {
  const more = details.length > 0 && { response_metadata: { messages: details } };
  return jsonAnswer(200, { ok: false, error, ...more });
}

function retryAfter(waitMs: number): Record<string, string> {
  return { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1_000))) };
}
