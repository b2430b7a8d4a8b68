// The refusal of an operation that would send mail to a suppressed address.
import {
  type Suppression,
  suppressedSince,
  suppressionEnds,
  suppressionWords,
} from '#shared/delivery/suppression.ts';
import { type ProblemError, problem } from '../problem.ts';

/** Says since when the address is suppressed, why, and how to lift that. */
export function suppressedProblem(suppression: Suppression): ProblemError {
  const since = new Date(suppressedSince(suppression)).toISOString();
  return problem(
    'address-suppressed',
    `No mail can be sent to this address since ${since}, because ${suppressionWords(suppression)}. ${suppressionEnds(suppression)}`,
  );
}
