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
const longestReceipt = 500;

/**
 * @param answer its `secrets`, URLs and others, are removed from the excerpt.
 * @param now epoch milliseconds, for waits that are given as a date.
 */
export function judgeAnswer(
  kind: HttpTarget['kind'],
  answer: PostAnswer & { secrets: readonly string[] },
  now: number,
): Judgement {
  const form = httpFormOf({ kind });
  const shown = hideAddress(form.shownOf?.(answer) ?? answer.excerpt, answer.secrets);
  const seen = {
    httpStatus: answer.status,
    excerpt: fitInto(singleLine(shown), { limit: excerptLimit }),
  };
  const judgement = certain(form.judge(answer, now), answer);
  const receipt = judgement.kind === 'sent' ? form.edits?.receiptOf(answer) : undefined;
  const isUsable = receipt !== undefined && receipt.length <= longestReceipt;
  return { ...judgement, ...seen, ...(isUsable && { receipt }) };
}

/**
 * A throttled message has not arrived, and its alerts may go in another one. If the request was sent twice, only its
 * second copy was throttled, so it is a failure, after which the same message is sent again.
 */
function certain(judgement: Judgement, { isSecond }: PostAnswer): Judgement {
  return judgement.kind === 'throttled' && isSecond ? { ...judgement, kind: 'retry' } : judgement;
}

/** The outcome if the receiver refused the form and there is no plainer form left: a mistake of ours. */
export function refusedForm({ kind: _kind, reason, ...seen }: Reshape): SendOutcome {
  return { kind: 'failed', reason: `refused_${reason}`, isOurs: true, ...seen };
}
