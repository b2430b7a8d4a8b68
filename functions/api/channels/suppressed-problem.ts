// The refusal of whatever would send mail to an address that no mail can go to.
import {
  type Suppression,
  suppressedSince,
  suppressionEnds,
  suppressionWords,
} from '#shared/delivery/suppression.ts';
import { type ProblemError, problem } from '../problem.ts';

/** Says since when the address is suppressed, why, and how that ends. */
export function suppressedProblem(suppression: Suppression): ProblemError {
  const since = new Date(suppressedSince(suppression)).toISOString();
  return problem(
    'address-suppressed',
    `No mail can be sent to this address since ${since}, because ${suppressionWords(suppression)}. ${suppressionEnds(suppression)}`,
  );
}
