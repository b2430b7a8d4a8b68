/**
 * The requests to SQS of a queue that Lambda drains, idle long polling included. Pure arithmetic.
 *
 * AWS Lambda's guide (Configuring scaling behavior for SQS event source mappings): Lambda polls a standard queue with
 * long polls, five batches at a time when there is little to do; it goes down to two only for event sources without a
 * maximum concurrency, and all of ours have one. SQS bills each receive, also one that brings nothing.
 */

/** Receives that Lambda has under way on an idle queue. */
export const pollersPerSource = 5;
/** How long a receive waits for a message: SQS's longest. */
export const longPollSeconds = 20;
/** Of a batch, if its messages were sent together: send, receive and delete. */
export const requestsPerBatch = 3;

export interface QueueLoad {
  messages: number;
  /** Messages that are sent, received and deleted by one request each; 1 if each comes alone. */
  perBatch: number;
}

/** All requests within a time, in seconds. */
export function requestsOf({ messages, perBatch }: QueueLoad, seconds: number): number {
  const batches = messages / perBatch;
  return batches * requestsPerBatch + emptyReceives(batches, seconds);
}

/**
 * Receives that end without a message. Batches come at random times, so a receive of w seconds at r batches a second
 * for each poller ends empty with the chance exp(-rw), and takes (1 - exp(-rw)) / r seconds on average: the quotient
 * is the number of empty ones a second. Without batches it is one in w seconds.
 */
export function emptyReceives(batches: number, seconds: number): number {
  const perPoller = batches / seconds / pollersPerSource;
  const emptyPerSecond =
    perPoller === 0 ? 1 / longPollSeconds : perPoller / Math.expm1(perPoller * longPollSeconds);
  return pollersPerSource * seconds * emptyPerSecond;
}
