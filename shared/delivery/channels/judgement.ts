// The meanings of receivers' answers that all kinds share; each kind maps its answers to them
// (channels.md, "Failure handling in one table").
import type { PostAnswer } from '../outbound/post-answer.ts';
import type { SendOutcome } from '../send-outcome.ts';

/** The meaning of an answer; `reshape` asks for one retry in a plainer form. */
export type Judgement = SendOutcome | Reshape;
export interface Reshape {
  kind: 'reshape';
  reason: string;
  httpStatus?: number;
  excerpt?: string;
}

/**
 * The meaning of an answer to an edit. `gone`: this message can't be edited any more, because a person has
 * deleted it, its time for edits is over, or the place refuses us. `refused`: our mistake, which the receiver
 * would refuse again. `failed`: the fault may be temporary.
 */
export type EditJudgement =
  | { kind: 'edited' }
  | { kind: 'gone' | 'refused' | 'failed'; reason: string }
  | { kind: 'throttled'; reason: string; afterMs: number | undefined };

/** The fields of a JSON object; none if the text is not one. */
export function fieldsIn(body: string): Record<string, unknown> {
  try {
    return { ...(JSON.parse(body) as object) } as Record<string, unknown>;
  } catch {
    return {};
  }
}

export function isSuccess({ status }: Pick<PostAnswer, 'status'>): boolean {
  return status >= 200 && status < 300;
}

/** The receiver no longer exists, or refuses us permanently. */
export function gone({ status }: PostAnswer): Judgement {
  return { kind: 'failed', reason: `http_${status}`, channelIs: 'gone' };
}

/** Our own mistake: the receiver would refuse the same body again. */
export function refused({ status }: PostAnswer): Judgement {
  return { kind: 'failed', reason: `refused_http_${status}`, isOurs: true };
}

/** The receiver accepted the message, but its answer does not confirm success. */
export function unconfirmed(): Judgement {
  return { kind: 'unconfirmed', reason: 'answer_not_understood' };
}

/** 429, and 503 with a wait, mean that we send too fast; any other status is a fault of the receiver. */
export function mayPass({ status }: PostAnswer, afterMs: number | undefined): Judgement {
  const isThrottled = status === 429 || (status === 503 && afterMs !== undefined);
  if (isThrottled) return { kind: 'throttled', reason: `http_${status}`, afterMs };
  const isRedirect = status >= 300 && status < 400;
  return { kind: 'retry', reason: `${isRedirect ? 'redirect' : 'http'}_${status}`, afterMs };
}

/** The usual meaning of an answer to an edit. @param gone the statuses that mean that it can't be edited any more. */
export function judgeEdit(
  answer: Pick<PostAnswer, 'status'>,
  gone: readonly number[],
  afterMs: number | undefined,
): EditJudgement {
  if (isSuccess(answer)) return { kind: 'edited' };
  const { status } = answer;
  const reason = `http_${status}`;
  if (gone.includes(status)) return { kind: 'gone', reason };
  if (status === 400 || status === 413) return { kind: 'refused', reason };
  return status === 429 ? { kind: 'throttled', reason, afterMs } : { kind: 'failed', reason };
}
