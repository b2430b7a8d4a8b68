// The meanings that answers of receivers have in common; each kind decides which answer has which
// (channels.md, "Failure handling in one table").
import type { PostAnswer } from '../outbound/post-answer.ts';
import type { SendOutcome } from '../send-outcome.ts';

/** What an answer means; `reshape` asks for one more try in a plainer form. */
export type Judgement = SendOutcome | Reshape;
export interface Reshape {
  kind: 'reshape';
  reason: string;
  httpStatus?: number;
  excerpt?: string;
}

export function isSuccess({ status }: Pick<PostAnswer, 'status'>): boolean {
  return status >= 200 && status < 300;
}

/** The receiver no longer exists, or refuses us for good. */
export function gone({ status }: PostAnswer): Judgement {
  return { kind: 'failed', reason: `http_${status}`, channelIs: 'gone' };
}

/** Our own mistake: the receiver would refuse the same body again. */
export function refused({ status }: PostAnswer): Judgement {
  return { kind: 'failed', reason: `refused_http_${status}`, isOurs: true };
}

/** The receiver took the message, but its answer is not the one that means success. */
export function unconfirmed(): Judgement {
  return { kind: 'unconfirmed', reason: 'answer_not_understood' };
}

/** 429, and 503 with a wait, mean that we are too fast; any other status is the receiver's trouble. */
export function mayPass({ status }: PostAnswer, afterMs: number | undefined): Judgement {
  const isThrottled = status === 429 || (status === 503 && afterMs !== undefined);
  if (isThrottled) return { kind: 'throttled', reason: `http_${status}`, afterMs };
  const isRedirect = status >= 300 && status < 400;
  return { kind: 'retry', reason: `${isRedirect ? 'redirect' : 'http'}_${status}`, afterMs };
}
