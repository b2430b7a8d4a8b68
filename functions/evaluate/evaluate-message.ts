// One message of the evaluate queue: evaluates its feed, and looks again soon if that fails.
import { randomUUID } from 'node:crypto';
import type { EvaluateMessage } from '#shared/alerts/evaluation.ts';
import type { Observability } from '#shared/lambda/observability.ts';
import type { MessageFacts } from '#shared/lambda/queue-consumer.ts';
import type { SendMessages } from '#shared/lambda/queue-sender.ts';
import type { createEvaluate } from './evaluate.ts';
import { createLookAgain } from './look-again.ts';
import { reportEvaluation } from './report-evaluation.ts';

interface EvaluateMessageDeps {
  evaluate: ReturnType<typeof createEvaluate>;
  sendNudges: SendMessages;
  observability: Observability;
  now: () => number;
}

/** @throws what the evaluation throws, if the queue must retry the message */
export function createEvaluateMessage(deps: EvaluateMessageDeps) {
  const { evaluate, observability, now } = deps;
  const lookAgain = createLookAgain(deps.sendNudges);
  return async function evaluateMessage(
    message: EvaluateMessage,
    { remainingMs, sentAt, receiveCount }: MessageFacts,
  ): Promise<void> {
    const { tries: _failures, ...feed } = message;
    const startedAt = now();
    try {
      const result = await evaluate(feed, randomUUID(), { now, remainingMs });
      reportEvaluation(observability, feed, result, { nudgedAt: sentAt, startedAt });
    } catch (error) {
      if (!(await lookAgain({ message, receiveCount }))) throw error;
      observability.logger.error('evaluate.failed', { ...message, error: error as Error });
    }
  };
}
