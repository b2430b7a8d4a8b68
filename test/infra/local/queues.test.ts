import {
  ChangeMessageVisibilityCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalStack } from '#infra/local/local-stack.ts';
import { aFunction, type TemporaryFolder, temporaryFolder } from '../support/fixture-assembly.ts';
import { anEventSource, aQueue } from '../support/resources.ts';
import { type Recorded, runStack } from '../support/run-stack.ts';

/** Fails the messages whose body says so, and reports every record. */
const worker = `
  export async function handler({ Records }) {
    for (const { body, attributes, ...record } of Records) {
      console.log(JSON.stringify({ body, tries: attributes.ApproximateReceiveCount, record }));
    }
    if (Records.some(({ body }) => body === 'throw')) throw new Error('all of it');
    const failed = Records.filter(({ body }) => body === 'fail');
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  }`;
const counter =
  'export async function handler(event) { console.log(event.Records.length + " gathered"); }';
/** Reports its start and end, and waits long enough in between for invocations to overlap. */
const slow = `
  export async function handler() {
    console.log('begin');
    await new Promise((resume) => setTimeout(resume, 50));
    console.log('end');
  }`;

/** Longer than any wait here on a busy machine. */
const patience = { timeout: 15_000 };

let folder: TemporaryFolder;
let stack: LocalStack;
let recorded: Recorded;
let sqs: SQSClient;

beforeAll(async () => {
  folder = temporaryFolder();
  ({ stack, recorded } = await runStack(folder.path, {
    bundles: { worker, slow, counter },
    resources: {
      DeadLetters: aQueue(),
      Work: aQueue({
        RedrivePolicy: {
          deadLetterTargetArn: { 'Fn::GetAtt': ['DeadLetters', 'Arn'] },
          maxReceiveCount: 2,
        },
      }),
      Worker: aFunction('worker'),
      WorkSource: anEventSource('Work', 'Worker'),
      Gathered: aQueue(),
      GatheredSource: anEventSource('Gathered', 'Counter', { MaximumBatchingWindowInSeconds: 2 }),
      Counter: aFunction('counter'),
      SlowWork: aQueue(),
      Slow: aFunction('slow'),
      SlowSource: anEventSource('SlowWork', 'Slow', { BatchSize: 1 }),
    },
    outputs: {
      Work: { Value: { Ref: 'Work' } },
      SlowWork: { Value: { Ref: 'SlowWork' } },
      Gathered: { Value: { Ref: 'Gathered' } },
      DeadLetters: { Value: { Ref: 'DeadLetters' } },
    },
  }));
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  sqs = new SQSClient({ endpoint: stack.endpoints.sqs, region: 'us-east-1', credentials });
  stack.startTriggers();
});
afterAll(async () => {
  sqs.destroy();
  await stack.stop();
  folder.remove();
});

async function send(queue: string, ...bodies: string[]): Promise<void> {
  for (const MessageBody of bodies) {
    await sqs.send(
      new SendMessageCommand({
        QueueUrl: stack.outputs[queue],
        MessageBody,
        MessageAttributes: { kind: { DataType: 'String', StringValue: 'test' } },
      }),
    );
  }
}

function tries(body: string): { receiveCount: string; receiptHandle: string }[] {
  return recorded.lines
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
    .filter((said) => said.body === body)
    .map(({ tries: receiveCount, record }) => ({ receiveCount, ...record }));
}

const receiveCounts = (body: string) => tries(body).map(({ receiveCount }) => receiveCount);

/** Makes a failed message visible at once, as if its timeout had passed. */
async function makeVisible(receiptHandle: string | undefined): Promise<void> {
  await sqs.send(
    new ChangeMessageVisibilityCommand({
      QueueUrl: stack.outputs.Work,
      ReceiptHandle: receiptHandle,
      VisibilityTimeout: 0,
    }),
  );
}

async function deadLetters(): Promise<string[]> {
  const { Messages = [] } = await sqs.send(
    new ReceiveMessageCommand({ QueueUrl: stack.outputs.DeadLetters, MaxNumberOfMessages: 10 }),
  );
  return Messages.map(({ Body = '' }) => Body);
}

describe('an event source', () => {
  it('deletes finished messages, returns failed ones, and finally dead-letters them', async () => {
    await send('Work', 'fine', 'fail', 'fine too');
    await expect.poll(() => receiveCounts('fail'), patience).toEqual(['1']);
    await expect.poll(() => receiveCounts('fine too'), patience).toEqual(['1']);
    await makeVisible(tries('fail')[0]?.receiptHandle);
    await expect.poll(() => receiveCounts('fail'), patience).toEqual(['1', '2']);
    await makeVisible(tries('fail')[1]?.receiptHandle);

    const given: string[] = [];
    const collected = async () => {
      given.push(...(await deadLetters()));
      return given;
    };
    await expect.poll(collected, patience).toEqual(['fail']);
    expect(receiveCounts('fine')).toEqual(['1']);
    expect(receiveCounts('fine too')).toEqual(['1']);
  });

  it('delivers records as Lambda does', async () => {
    await send('Work', 'shaped');
    await expect.poll(() => receiveCounts('shaped'), patience).toEqual(['1']);
    expect(tries('shaped')[0]).toMatchObject({
      eventSource: 'aws:sqs',
      eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:Test-Work',
      awsRegion: 'us-east-1',
      messageAttributes: { kind: { dataType: 'String', stringValue: 'test' } },
      md5OfBody: '61c19b8a6537053dfbad8efbb6384931',
    });
  });

  it('runs as many batches at once as its maximum concurrency, and no more', async () => {
    await send('SlowWork', ...Array.from({ length: 8 }, (_, index) => String(index)));
    const marks = () => recorded.lines.filter((line) => line === 'begin' || line === 'end');
    await expect.poll(() => marks().length, patience).toBe(16);
    let running = 0;
    const atOnce = marks().map((mark) => {
      running += mark === 'begin' ? 1 : -1;
      return running;
    });
    expect(Math.max(...atOnce)).toBe(2);
  });

  it('gathers a batch until it is full or its window closes', async () => {
    // Ten at a time, so that sending takes less than the window on a busy machine.
    for (const count of [10, 3]) {
      const Entries = Array.from({ length: count }, (_, Id) => ({ Id: `${Id}`, MessageBody: 'm' }));
      const QueueUrl = stack.outputs.Gathered;
      await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    }
    const batches = () => recorded.lines.filter((line) => line.endsWith(' gathered'));
    await expect.poll(batches, patience).toEqual(['10 gathered', '3 gathered']);
  });

  it('leaves the stack idle once every message is done', async () => {
    await expect.poll(() => stack.isIdle(), patience).toBe(true);
  });
});
