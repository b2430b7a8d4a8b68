import { type SQSClient, StartMessageMoveTaskCommand } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { redriveQueue } from '#infra/operate/redrive-queue.ts';

interface Task {
  Status: string;
  ApproximateNumberOfMessagesMoved?: number;
  FailureReason?: string;
}

/**
 * A fake SQS with the given number of dead letters; its move task has these states, one per read.
 */
function aQueue(waiting: number, states: Task[]) {
  const commands: { name: string; input: unknown }[] = [];
  const progress: number[] = [];
  let look = 0;
  const sqs = {
    async send(command: { constructor: { name: string }; input: unknown }) {
      const { name } = command.constructor;
      commands.push({ name, input: command.input });
      if (name === 'GetQueueAttributesCommand') {
        const Attributes = { QueueArn: 'arn:dead', ApproximateNumberOfMessages: String(waiting) };
        return { Attributes };
      }
      if (name !== 'ListMessageMoveTasksCommand') return {};
      const state = states[Math.min(look, states.length - 1)];
      look += 1;
      return { Results: [state] };
    },
  } as unknown as SQSClient;
  const redrive = () =>
    redriveQueue({
      sqs,
      deadLettersUrl: 'https://queue.example/dead',
      perSecond: 10,
      wait: async () => {},
      onProgress: (moved) => progress.push(moved),
    });
  return { redrive, commands, progress };
}

const running = { Status: 'RUNNING', ApproximateNumberOfMessagesMoved: 3 };

describe('redriving a queue', () => {
  it('moves dead letters at a bounded rate, and waits until all are moved', async () => {
    const { redrive, commands, progress } = aQueue(7, [
      running,
      { Status: 'COMPLETED', ApproximateNumberOfMessagesMoved: 7 },
    ]);
    expect(await redrive()).toBe(7);
    expect(progress).toEqual([3, 7]);
    expect(commands.find(({ name }) => name === StartMessageMoveTaskCommand.name)?.input).toEqual({
      SourceArn: 'arn:dead',
      MaxNumberOfMessagesPerSecond: 10,
    });
  });

  it('starts no task without dead letters', async () => {
    const { redrive, commands } = aQueue(0, []);
    expect(await redrive()).toBe(0);
    expect(commands.map(({ name }) => name)).toEqual(['GetQueueAttributesCommand']);
  });

  it('reports why SQS stopped', async () => {
    const { redrive } = aQueue(7, [{ Status: 'FAILED', FailureReason: 'no such queue' }]);
    await expect(redrive()).rejects.toThrow('SQS stopped moving: no such queue.');
  });

  it('stops waiting for a task that never ends', async () => {
    const { redrive, progress } = aQueue(7, [running]);
    await expect(redrive()).rejects.toThrow('SQS is still moving; look again later.');
    expect(progress).toHaveLength(600);
  });
});
