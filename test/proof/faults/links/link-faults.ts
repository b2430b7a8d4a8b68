// The possible faults of a request on a link, and their frequency for each kind of link.
import type { Dice } from '../dice.ts';
import { answerFaults } from './odd-answers.ts';

/**
 * `drop_request`, `drop_answer`: no answer comes. `delay`: both take longer. `reorder`: later requests
 * overtake it, and it arrives even if its sender has stopped waiting. `duplicate`: it arrives twice, and
 * the second answer counts. `cut_*`: the connection breaks before it, after it or within its answer.
 * `kill_*`: the calling worker dies before it, or after it. `refuse`: the receiver answers 500. The
 * others are possible answers of the marketplace (odd-answers.ts).
 */
export const linkFaults = [
  'drop_request',
  'drop_answer',
  'delay',
  'reorder',
  'duplicate',
  'cut_before',
  'cut_after',
  'cut_within',
  'kill_before',
  'kill_after',
  'refuse',
  ...answerFaults,
] as const;
export type LinkFault = (typeof linkFaults)[number];

/** The target of a link. */
export type LinkTarget = 'dynamoDb' | 'sqs' | 'ses' | 'secrets' | 'marketplace' | 'receiver';

type Weights = Partial<Record<LinkFault, number>>;

/** Each lost answer costs the run a second, so it is rarer than a cut. */
const usual: Weights = {
  drop_request: 1,
  drop_answer: 1,
  delay: 4,
  reorder: 3,
  cut_before: 4,
  cut_after: 4,
  cut_within: 3,
  kill_before: 2,
  kill_after: 3,
};

/** The share of faulty requests on a link, by its target; the busiest targets have the fewest. */
const rates: Record<LinkTarget, number> = {
  dynamoDb: 0.01,
  sqs: 0.05,
  ses: 0.12,
  secrets: 0.15,
  marketplace: 0.3,
  receiver: 0.15,
};

const weightsTo: Record<LinkTarget, Weights> = {
  dynamoDb: { ...usual, duplicate: 3 },
  sqs: { ...usual, duplicate: 3 },
  secrets: { ...usual, duplicate: 3 },
  marketplace: { ...usual, duplicate: 3, odd_rows: 20, future_stamp: 10, not_found: 6 },
  // A duplicate here would be a second message that no sender sent.
  ses: usual,
  receiver: { ...usual, refuse: 3 },
};

/** The event sources are not workers, and wait for an answer forever. */
const ofEventSources: Weights = {
  delay: 3,
  reorder: 2,
  duplicate: 3,
  cut_before: 1,
  cut_after: 2,
  cut_within: 1,
};
const eventSourceRate = 0.03;

/** @param worker undefined on the event sources' own link. */
export function rollFault(
  dice: Dice,
  { worker, target }: { worker: string | undefined; target: LinkTarget },
): LinkFault | undefined {
  const isOfWorker = worker !== undefined;
  if (!dice.chance(isOfWorker ? rates[target] : eventSourceRate)) return undefined;
  return dice.weigh<LinkFault>(isOfWorker ? weightsTo[target] : ofEventSources);
}
