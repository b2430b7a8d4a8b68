// What a queue's function answers to SQS: each message that failed, and none that did not.
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { createQueueConsumer } from '#shared/lambda/queue-consumer.ts';

const messageSchema = z.object({ n: z.number() });
const context = {
  ...{ functionName: 'test', awsRequestId: 'request', invokedFunctionArn: 'arn' },
  ...{ memoryLimitInMB: '128', getRemainingTimeInMillis: () => 1_000 },
} as Context;

beforeEach(() => void vi.stubEnv('POWERTOOLS_METRICS_DISABLED', 'true'));
afterEach(() => void vi.unstubAllEnvs());

/** @returns the ids that are answered as failed, and what was handled to its end */
async function consume(bodies: readonly string[], handle: (n: number) => Promise<void>) {
  const handled: number[] = [];
  const consumer = createQueueConsumer({
    schema: messageSchema,
    handle: async ({ n }) => {
      await handle(n);
      handled.push(n);
    },
    logger: new Logger({ logLevel: 'SILENT' }),
    metrics: new Metrics({ namespace: 'Test', serviceName: 'test' }),
  });
  const Records = bodies.map((body, index) => ({
    ...{ messageId: `message-${index}`, receiptHandle: `receipt-${index}`, body },
    attributes: { ApproximateReceiveCount: '1' },
    eventSource: 'aws:sqs',
  }));
  const answer: SQSBatchResponse = await consumer({ Records } as unknown as SQSEvent, context);
  const failed = answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  // In a standard queue their order means nothing.
  return { failed: failed.sort(), handled };
}

const numbered = (count: number) => Array.from({ length: count }, (_, n) => JSON.stringify({ n }));

describe('a batch', () => {
  it('in which one fails at once and one throws has these two failed, and the others done', async () => {
    const { failed, handled } = await consume(numbered(10), async (n) => {
      if (n === 9) throw new Error('at once');
      await new Promise((resume) => setImmediate(resume));
      if (n === 0) throw new Error('a little later');
    });
    expect(failed).toEqual(['message-0', 'message-9']);
    expect(handled.sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it.each([[undefined], [null], ['text'], [0], [{}], [Object.create(null)]])(
    'in which one throws %j has that one failed alone',
    async (thrown) => {
      const { failed, handled } = await consume(numbered(3), async (n) => {
        if (n === 1) throw thrown;
      });
      expect({ failed, handled: handled.sort() }).toEqual({
        failed: ['message-1'],
        handled: [0, 2],
      });
    },
  );

  it('with bodies of other shapes has these failed, and no neighbour', async () => {
    const odd = ['{', 'null', '"text"', '{"v":99}', '['.repeat(200_000)];
    const { failed, handled } = await consume([...odd, ...numbered(5)], async () => {});
    expect(failed).toEqual(['message-0', 'message-1', 'message-2', 'message-3', 'message-4']);
    expect(handled).toEqual([0, 1, 2, 3, 4]);
  });

  it('that fails whole is answered message by message, not by an exception', async () => {
    const { failed } = await consume(numbered(3), async () => Promise.reject(new Error('no')));
    expect(failed).toEqual(['message-0', 'message-1', 'message-2']);
  });

  it('reports exactly what failed, whatever fails', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 10 }), async (fails) => {
        const { failed } = await consume(numbered(fails.length), async (n) => {
          if (fails[n]) throw new Error('no');
        });
        const wanted = fails.flatMap((fail, index) => (fail ? [`message-${index}`] : []));
        expect(failed).toEqual(wanted);
      }),
      { numRuns: 50 },
    );
  });
});
