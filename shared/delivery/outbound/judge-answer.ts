// Maps a receiver's answer to its meaning, and makes the excerpt for the log. Each kind judges its own
// answers.
import { type HttpTarget, httpFormOf } from '../channels/channels.ts';
import type { Judgement, Reshape } from '../channels/judgement.ts';
import { fitInto, singleLine } from '../message/plain-text.ts';
import type { SendOutcome } from '../send-outcome.ts';
import { hideAddress } from './hide-address.ts';
import type { PostAnswer } from './post-answer.ts';

/** The length of the excerpt in the log. */
const excerptLimit = 300;

/**
 * @param answer `secretUrls` are removed from the excerpt.
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

/** The outcome if the receiver refused the form and there is no plainer form left: a mistake of ours. */
export function refusedForm({ kind: _kind, reason, ...seen }: Reshape): SendOutcome {
  return { kind: 'failed', reason: `refused_${reason}`, isOurs: true, ...seen };
}
