// What a receiver's answer means, channel by channel (channels.md, Failure handling in one table).
import type { ChannelKind } from '#shared/watchlist/channel.ts';
import type { SendOutcome } from '../delivery.ts';
import { fitInto, singleLine } from '../message/plain-text.ts';
import type { PostAnswer } from './guarded-post.ts';
import { hideAddress } from './hide-address.ts';
import { discordRetryAfterMs, retryAfterMs } from './retry-after.ts';

/** What a channel shows of an answer, and how it can be asked once more in a plainer form. */
export type Judgement = SendOutcome | Reshape;
export interface Reshape {
  kind: 'reshape';
  reason: string;
  httpStatus?: number;
  excerpt?: string;
}

/** The log keeps this much of an answer. */
const excerptLimit = 300;

/**
 * @param answer `secretUrls` are not repeated in the excerpt, wherever the answer has them.
 * @param now epoch milliseconds, for waits that are given as a date.
 */
export function judgeAnswer(
  kind: Exclude<ChannelKind, 'email'>,
  answer: PostAnswer & { secretUrls: readonly string[] },
  now: number,
): Judgement {
  const shown = hideAddress(answer.excerpt, answer.secretUrls);
  const seen = {
    httpStatus: answer.status,
    excerpt: fitInto(singleLine(shown), { limit: excerptLimit }),
  };
  return { ...judges[kind](answer, now), ...seen };
}

/** What it means when there is no plainer form, or when that was refused too: a mistake of ours. */
export function refusedForm({ kind: _kind, reason, ...seen }: Reshape): SendOutcome {
  return { kind: 'failed', reason: `refused_${reason}`, isOurs: true, ...seen };
}

type Judge = (answer: PostAnswer, now: number) => Judgement;

const judges: Record<Exclude<ChannelKind, 'email'>, Judge> = {
  webhook: judgeWebhook,
  slack: judgeSlack,
  discord: judgeDiscord,
  teams: judgeTeams,
};

/** 2xx alone is success; 410 says that the receiver is gone; everything else may pass. */
function judgeWebhook(answer: PostAnswer, now: number): Judgement {
  if (isSuccess(answer)) return { kind: 'sent' };
  if (answer.status === 410) return gone(answer);
  return mayPass(answer, retryAfterMs(answer.headers['retry-after'], now));
}

function judgeSlack(answer: PostAnswer, now: number): Judgement {
  if (isSuccess(answer)) return answer.excerpt.trim() === 'ok' ? { kind: 'sent' } : unconfirmed();
  if ([403, 404, 410].includes(answer.status) || isSlackPlaceGone(answer)) return gone(answer);
  if (answer.status === 413) return { kind: 'reshape', reason: 'http_413' };
  if (answer.status === 400) return reshape(answer, /block|payload|text/);
  return mayPass(answer, retryAfterMs(answer.headers['retry-after'], now));
}

/** What Slack says with a 400 when the place is not to be written to, whatever is sent there. */
const slackPlaceGone =
  /^(user_not_found|channel_not_found|channel_is_archived|no_service|no_service_id|no_team|no_active_hooks|team_disabled|invalid_token|action_prohibited|posting_to_general_channel_denied)$/;

function isSlackPlaceGone({ status, excerpt }: PostAnswer): boolean {
  return status === 400 && slackPlaceGone.test(excerpt.trim());
}

function judgeDiscord(answer: PostAnswer): Judgement {
  if (isSuccess(answer)) return { kind: 'sent' };
  if ([401, 403, 404].includes(answer.status) || isDiscordForum(answer)) return gone(answer);
  if (answer.status === 400 || answer.status === 413) return refused(answer);
  return mayPass(answer, discordRetryAfterMs(answer.excerpt, answer.headers));
}

/** A webhook that its owner put on a forum, where each message needs the name of a thread (22000x). */
function isDiscordForum({ status, excerpt }: PostAnswer): boolean {
  return status === 400 && /"code":\s*22000[1-3]\b/.test(excerpt);
}

/** Teams also says what went wrong inside an answer of 200 (B64). */
function judgeTeams(answer: PostAnswer, now: number): Judgement {
  const [, wrapped] = /HTTP error (\d{3})/.exec(answer.excerpt) ?? [];
  const status = wrapped === undefined ? answer.status : Number(wrapped);
  const real = { ...answer, status };
  if (status === 202 || (isSuccess(real) && ['', '1'].includes(answer.excerpt.trim()))) {
    return { kind: 'sent' };
  }
  if (isSuccess(real)) return unconfirmed();
  if (status === 413) return { kind: 'reshape', reason: 'http_413' };
  if (status === 401 || status === 404 || isFlowOff(real)) {
    return { kind: 'failed', reason: `http_${status}`, channelIs: 'perhaps_gone' };
  }
  if (status === 400) return refused(real);
  return mayPass(real, retryAfterMs(answer.headers['retry-after'], now));
}

/** The flow is switched off, or its owner made it ask for another shape of message. */
function isFlowOff({ status, excerpt }: PostAnswer): boolean {
  return status === 400 && /WorkflowTriggerIsNotEnabled|TriggerInputSchemaMismatch/.test(excerpt);
}

function isSuccess({ status }: PostAnswer): boolean {
  return status >= 200 && status < 300;
}

function gone({ status }: PostAnswer): Judgement {
  return { kind: 'failed', reason: `http_${status}`, channelIs: 'gone' };
}

/** Our own mistake: the same body will be refused again. */
function refused({ status }: PostAnswer): Judgement {
  return { kind: 'failed', reason: `refused_http_${status}`, isOurs: true };
}

/** Worth one more try in a plainer form, if it was the form that the receiver did not like. */
function reshape(answer: PostAnswer, aboutForm: RegExp): Judgement {
  return aboutForm.test(answer.excerpt)
    ? { kind: 'reshape', reason: `http_${answer.status}` }
    : refused(answer);
}

function unconfirmed(): Judgement {
  return { kind: 'unconfirmed', reason: 'answer_not_understood' };
}

/** 429, and 503 with a wait, say that we are too fast; the rest is trouble at the receiver's. */
function mayPass({ status }: PostAnswer, afterMs: number | undefined): Judgement {
  const isThrottled = status === 429 || (status === 503 && afterMs !== undefined);
  if (isThrottled) return { kind: 'throttled', reason: `http_${status}`, afterMs };
  const isRedirect = status >= 300 && status < 400;
  return { kind: 'retry', reason: `${isRedirect ? 'redirect' : 'http'}_${status}`, afterMs };
}
