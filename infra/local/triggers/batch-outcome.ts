/**
 * Decides which messages of a batch are done, from the function's answer, by Lambda's exact rules
 * for partial batch responses. Deletes nothing itself.
 */
import type { InvocationOutcome } from '../lambda/messages.ts';

export interface BatchOutcome {
  /** Message ids to delete from the queue. */
  done: string[];
  /** Message ids that become visible again after their visibility timeout. */
  failed: string[];
  /** Set when the whole batch failed. */
  reason?: string;
}

export interface BatchAnswer {
  outcome: InvocationOutcome;
  messageIds: string[];
  /** Whether the event source has `ReportBatchItemFailures`. */
  reportsItemFailures: boolean;
}

/**
 * Success: an empty or null answer, or an empty or null list. Complete failure: a function error,
 * an answer that is no object, or an identifier that is missing, empty, not a text, or not in the
 * batch.
 */
export function decideBatchOutcome(answer: BatchAnswer): BatchOutcome {
  const { outcome, messageIds, reportsItemFailures } = answer;
  if (!outcome.ok) return allFailed(messageIds, outcome.error.errorMessage);
  const failures = reportsItemFailures ? failuresIn(outcome.payload) : [];
  if (!Array.isArray(failures)) return allFailed(messageIds, 'the answer is no batch response');
  const failedIds = failures.map((failure) => failure?.itemIdentifier);
  const strange = failedIds.find((id) => !messageIds.includes(id));
  if (failedIds.length > 0 && strange !== undefined) {
    return allFailed(messageIds, `the answer names ${JSON.stringify(strange)}, no message here`);
  }
  if (failedIds.includes(undefined)) {
    return allFailed(messageIds, 'the answer has a failure without itemIdentifier');
  }
  return {
    done: messageIds.filter((id) => !failedIds.includes(id)),
    failed: messageIds.filter((id) => failedIds.includes(id)),
  };
}

function failuresIn(payload: unknown): unknown {
  if (payload === null || payload === undefined || payload === '') return [];
  if (typeof payload !== 'object' || Array.isArray(payload)) return undefined;
  return ('batchItemFailures' in payload ? payload.batchItemFailures : undefined) ?? [];
}

function allFailed(messageIds: string[], reason: string): BatchOutcome {
  return { done: [], failed: messageIds, reason };
}
