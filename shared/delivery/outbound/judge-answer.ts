// What a receiver's answer means, with what the log keeps of it. Each kind of channel judges its own.
import { type HttpTarget, httpFormOf } from '../channels/channels.ts';
import type { Judgement, Reshape } from '../channels/judgement.ts';
import { fitInto, singleLine } from '../message/plain-text.ts';
import type { SendOutcome } from '../send-outcome.ts';
import { hideAddress } from './hide-address.ts';
import type { PostAnswer } from './post-answer.ts';

/** The log keeps this much of an answer. */
const excerptLimit = 300;

/**
 * @param answer `secretUrls` are not repeated in the excerpt, wherever the answer has them.
 * @param now epoch milliseconds, for waits that are given as a date.
 */
export function judgeAnswer(
  kind: HttpTarget['kind'],
  answer: PostAnswer & { secretUrls: readonly string[] },
  now: number,
): Judgement {
  const shown = hideAddress(answer.excerpt, answer.secretUrls);
  const seen = {
    httpStatus: answer.status,
    excerpt: fitInto(singleLine(shown), { limit: excerptLimit }),
  };
  return { ...httpFormOf({ kind }).judge(answer, now), ...seen };
}

/** What a refused form means if there is no plainer one, or that was refused too: a mistake of ours. */
export function refusedForm({ kind: _kind, reason, ...seen }: Reshape): SendOutcome {
  return { kind: 'failed', reason: `refused_${reason}`, isOurs: true, ...seen };
}
