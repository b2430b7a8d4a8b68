// The SDK's clients against an AWS that takes a request and never answers it.
import { createServer, type Server } from 'node:http';
import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { GetSendQuotaCommand } from '@aws-sdk/client-ses';
import { ListQueuesCommand } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDynamo, createSecrets, createSes, createSqs } from '#shared/lambda/aws-clients.ts';

let server: Server;

beforeEach(async () => {
  server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${port}`);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
});

/** How many seconds a call takes to fail, by the fake clock. */
async function secondsUntilFailure(call: () => Promise<unknown>): Promise<number> {
  let failed = false;
  const ending = call().catch(() => {
    failed = true;
  });
  for (let second = 0; second < 120; second += 1) {
    // Sockets are real, so each request gets the time to reach the server.
    for (let turn = 0; turn < 20; turn += 1) await new Promise((next) => setImmediate(next));
    if (failed) return second;
    await vi.advanceTimersByTimeAsync(1_000);
  }
  server.closeAllConnections();
  await ending;
  return Number.POSITIVE_INFINITY;
}

describe('a call that is never answered', () => {
  it.each([
    ['DynamoDB', () => createDynamo().send(new ListTablesCommand({}))],
    ['SQS', () => createSqs().send(new ListQueuesCommand({}))],
    ['Secrets Manager', () => createSecrets().send(new GetSecretValueCommand({ SecretId: 's' }))],
    ['SES', () => createSes().send(new GetSendQuotaCommand({}))],
  ])('to %s fails within a function’s time', async (_service, call) => {
    expect(await secondsUntilFailure(call as () => Promise<unknown>)).toBeLessThan(60);
  });
});
