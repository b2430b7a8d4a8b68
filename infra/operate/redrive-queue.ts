/**
 * Moves dead letters back to their source queue by SQS's own move task, and waits for its end. Safe
 * to repeat: every consumer is idempotent.
 */
import {
  GetQueueAttributesCommand,
  ListMessageMoveTasksCommand,
  type ListMessageMoveTasksResultEntry,
  type SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import { OperatorError } from './command.ts';

export interface RedriveOptions {
  sqs: SQSClient;
  deadLettersUrl: string;
  /** Upper bound of messages a second, to protect the part that failed. */
  perSecond: number;
  wait: (ms: number) => Promise<void>;
  onProgress: (moved: number, of: number) => void;
}

const pollMs = 2_000;
/** Twenty minutes; then the task continues without us. */
const mostLooks = 600;

/**
 * @returns how many were moved
 * @throws OperatorError when the task fails, or still runs after twenty minutes
 */
export async function redriveQueue(options: RedriveOptions): Promise<number> {
  const { sqs, deadLettersUrl, perSecond, wait, onProgress } = options;
  const { arn, waiting } = await describeQueue(sqs, deadLettersUrl);
  if (waiting === 0) return 0;
  await sqs.send(
    new StartMessageMoveTaskCommand({ SourceArn: arn, MaxNumberOfMessagesPerSecond: perSecond }),
  );
  for (let look = 0; look < mostLooks; look += 1) {
    const task = await newestTask(sqs, arn);
    const moved = task?.ApproximateNumberOfMessagesMoved ?? 0;
    onProgress(moved, waiting);
    if (task?.Status === 'COMPLETED') return moved;
    if (task?.Status !== undefined && task.Status !== 'RUNNING') {
      throw new OperatorError(`SQS stopped moving: ${task.FailureReason ?? task.Status}.`);
    }
    await wait(pollMs);
  }
  throw new OperatorError('SQS is still moving; look again later.');
}

async function describeQueue(sqs: SQSClient, QueueUrl: string) {
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({
      QueueUrl,
      AttributeNames: ['QueueArn', 'ApproximateNumberOfMessages'],
    }),
  );
  return {
    arn: Attributes.QueueArn ?? '',
    waiting: Number(Attributes.ApproximateNumberOfMessages ?? 0),
  };
}

async function newestTask(
  sqs: SQSClient,
  SourceArn: string,
): Promise<ListMessageMoveTasksResultEntry | undefined> {
  const { Results = [] } = await sqs.send(
    new ListMessageMoveTasksCommand({ SourceArn, MaxResults: 1 }),
  );
  return Results[0];
}
