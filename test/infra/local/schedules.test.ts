import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../support/fake-clock.ts';
import { aFunction, type TemporaryFolder, temporaryFolder } from '../support/fixture-assembly.ts';
import { aQueue, aSchedule } from '../support/resources.ts';
import { runStack } from '../support/run-stack.ts';

const tells = 'export async function handler(event) { console.log(JSON.stringify(event)); }';
const throws = 'export async function handler() { throw new Error("not today"); }';

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

it('fires by the tick: a one-minute schedule each 5 s, a five-minute one each 25 s', async () => {
  const clock = new FakeClock('2026-11-27T10:00:00Z');
  const resources = {
    Tells: aFunction('tells'),
    EachMinute: aSchedule('Tells'),
    EachFive: aSchedule('Tells', {
      ScheduleExpression: 'rate(5 minutes)',
      Target: { Arn: { 'Fn::GetAtt': ['Tells', 'Arn'] }, Input: '{"five":true}' },
    }),
    Never: aSchedule('Tells', { State: 'DISABLED' }),
  };
  const { stack, recorded } = await runStack(
    folder.path,
    { bundles: { tells }, resources },
    { clock, timeScale: 5 / 60 },
  );
  stack.startTriggers();
  await clock.advance(25_000);
  await expect.poll(() => recorded.lines.length, { timeout: 10_000 }).toBe(8);
  await stack.stop();
  expect(recorded.lines.sort()).toEqual([
    '{"at":"2026-11-27T10:00:00Z"}',
    '{"at":"2026-11-27T10:00:05Z"}',
    '{"at":"2026-11-27T10:00:10Z"}',
    '{"at":"2026-11-27T10:00:15Z"}',
    '{"at":"2026-11-27T10:00:20Z"}',
    '{"at":"2026-11-27T10:00:25Z"}',
    '{"five":true}',
    '{"five":true}',
  ]);
});

describe('a firing that fails', () => {
  it('is retried as configured, then sent to the failure destination', async () => {
    const { stack, recorded } = await runStack(
      folder.path,
      {
        bundles: { throws },
        resources: {
          Throws: aFunction('throws'),
          Clock: aSchedule('Throws'),
          Failures: aQueue(),
          Config: {
            Type: 'AWS::Lambda::EventInvokeConfig',
            Properties: {
              FunctionName: { Ref: 'Throws' },
              Qualifier: '$LATEST',
              MaximumRetryAttempts: 1,
              DestinationConfig: {
                OnFailure: { Destination: { 'Fn::GetAtt': ['Failures', 'Arn'] } },
              },
            },
          },
        },
        outputs: { Failures: { Value: { Ref: 'Failures' } } },
      },
      { timeScale: 1 / 600 },
    );
    const sqs = new SQSClient({
      endpoint: stack.endpoints.sqs,
      region: 'us-east-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    });
    stack.startTriggers();
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl: stack.outputs.Failures, WaitTimeSeconds: 10 }),
    );
    sqs.destroy();
    await stack.stop();
    expect(JSON.parse(Messages[0]?.Body ?? '{}')).toMatchObject({
      requestContext: { condition: 'RetriesExhausted', approximateInvokeCount: 2 },
      requestPayload: { at: expect.stringMatching(/Z$/) },
      responsePayload: { errorMessage: 'not today' },
    });
    expect(recorded.failures).toContain('throws: not today');
  });
});
