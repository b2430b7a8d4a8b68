// What the cost table counts of queues, against the emulator's own counts and the template.
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assumed } from '#infra/cost/assumed.ts';
import {
  emptyReceives,
  longPollSeconds,
  pollersPerSource,
  requestsOf,
  requestsPerBatch,
} from '#infra/cost/queues.ts';
import { type SqsEmulator, startSqs } from '#infra/local/emulators/sqs.ts';
import { SqsEventSource } from '#infra/local/triggers/sqs-event-source.ts';
import { createQueueSender } from '#shared/lambda/queue-sender.ts';
import { unguarded } from '../proof/faults/parts/unguarded.ts';
import { every, templateOf } from './support/templates.ts';

const batchSize = 5;

describe('the requests of a queue, as the emulator counts them', () => {
  let emulator: SqsEmulator;
  let sqs: SQSClient;
  let source: SqsEventSource;
  let send: (count: number) => Promise<void>;
  let handled: number[];
  const waits: (number | undefined)[] = [];

  beforeEach(async () => {
    emulator = await startSqs(0, unguarded('sqs'));
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    sqs = new SQSClient({ endpoint: emulator.url, region: 'us-east-1', credentials });
    sqs.middlewareStack.add((next) => (args) => {
      if ('WaitTimeSeconds' in args.input) waits.push(Number(args.input.WaitTimeSeconds));
      return next(args);
    });
    await sqs.send(new CreateQueueCommand({ QueueName: 'work' }));
    const queueUrl = new URL('/000000000000/work', emulator.url).href;
    const sender = createQueueSender(sqs, queueUrl);
    send = (count) =>
      sender(Array.from({ length: count }, (_, id) => ({ body: { id }, group: String(id) })));
    handled = [];
    source = new SqsEventSource({
      ...{ queueUrl, queueArn: 'arn:aws:sqs:us-east-1:000000000000:work', region: 'us-east-1' },
      target: {
        label: 'worker',
        invoke: async (event: { Records: unknown[] }) => {
          handled.push(event.Records.length);
          return { ok: true, payload: { batchItemFailures: [] } };
        },
      } as never,
      ...{ batchSize, batchingWindowMs: 0, maxConcurrency: 2, reportsItemFailures: true, sqs },
      onTrouble: (line) => expect.fail(line),
    });
    return async () => {
      await source.stop();
      sqs.destroy();
      await emulator.stop();
    };
  });
  afterEach(() => {
    waits.length = 0;
  });

  /** Waits until the messages were deleted and the next receive is open. */
  async function settled(deletes: number, receives: number) {
    await expect
      .poll(() => {
        const { DeleteMessageBatch = 0, ReceiveMessage = 0 } = emulator.requests();
        return [DeleteMessageBatch, ReceiveMessage];
      })
      .toEqual([deletes, receives]);
    const { CreateQueue: _made, ...requests } = emulator.requests();
    return Object.values(requests).reduce((sum, count) => sum + count, 0);
  }

  it('are three for a message that comes alone, beside the receive that waits', async () => {
    source.start();
    await settled(0, 1).catch(() => {});
    await send(1);
    expect((await settled(1, 2)) - 1).toBe(requestsPerBatch);
    await send(1);
    expect((await settled(2, 3)) - 1).toBe(2 * requestsPerBatch);
    expect(handled).toEqual([1, 1]);
  });

  it('are three for a batch', async () => {
    await send(batchSize);
    source.start();
    expect((await settled(1, 2)) - 1).toBe(requestsPerBatch);
    expect(handled).toEqual([batchSize]);
  });

  it('are one at a time for each poller of an idle queue, as long as SQS lets a receive wait', async () => {
    source.start();
    await expect.poll(() => emulator.requests().ReceiveMessage).toBe(1);
    expect(waits).toEqual([longPollSeconds]);
  });
});

describe('the queues that the template has Lambda poll', () => {
  const sources = every(templateOf('prod'), 'AWS::Lambda::EventSourceMapping');

  it('are as many as the table counts', () => {
    expect(sources).toHaveLength(assumed.polledQueues);
  });

  it.each(sources)(
    '%s has a maximum concurrency, so that AWS keeps all of its pollers',
    (_, of) => {
      expect(of.Properties.ScalingConfig).toMatchObject({ MaximumConcurrency: expect.any(Number) });
    },
  );
});

it('the alarms and secrets that the table counts are those of the template', () => {
  const template = templateOf('prod');
  const metrics = every(template, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => {
    const terms = Properties.Metrics as { MetricStat?: object }[] | undefined;
    return terms ? terms.filter(({ MetricStat }) => MetricStat).length : 1;
  });
  expect(metrics.reduce((sum, one) => sum + one, 0)).toBe(assumed.alarmMetrics);
  expect(every(template, 'AWS::CloudWatch::CompositeAlarm')).toHaveLength(assumed.compositeAlarms);
  expect(every(template, 'AWS::SecretsManager::Secret')).toHaveLength(assumed.secrets);
});

describe('receives that bring nothing', () => {
  const day = 86_400;

  it('are three a minute for each of five pollers of an idle queue', () => {
    expect(emptyReceives(0, day)).toBe(5 * 3 * 1_440);
    expect(requestsOf({ messages: 0, perBatch: 1 }, day)).toBe(21_600);
  });

  it.each([0.001, 0.05, 0.2])(
    'agree with pollers of which each gets %d batches a second',
    (rate) => {
      const found = countEmpty(rate, 4_000_000);
      expect(
        found / (emptyReceives(rate * pollersPerSource * day, day) / pollersPerSource / day),
      ).toBeCloseTo(1, 1);
    },
  );

  /** Empty receives a second of one poller, by playing its receives one after another. */
  function countEmpty(rate: number, seconds: number): number {
    let seed = 1;
    let empty = 0;
    let at = 0;
    for (let receives = 0; receives < 200_000 && at < seconds; receives += 1) {
      seed = (seed * 48_271) % 2_147_483_647;
      const nextBatch = -Math.log(seed / 2_147_483_647) / rate;
      if (nextBatch > longPollSeconds) empty += 1;
      at += Math.min(nextBatch, longPollSeconds);
    }
    return empty / at;
  }
});
