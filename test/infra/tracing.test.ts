// Checks how one function's trace continues in the next: the SDK's clients pass the invocation's
// trace on, and SQS stores it with the message. No bundle has a tracing library.
import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createSqs } from '#shared/lambda/aws-clients.ts';
import { createQueueSender } from '#shared/lambda/queue-sender.ts';

/** MD5 of the message's body: the client checks it. */
const md5OfBody = createHash('md5').update('{"eventId":1}').digest('hex');
const trace = 'Root=1-6929a1b2-0123456789abcdef01234567;Parent=0123456789abcdef;Sampled=1';

let server: Server;
let heard: IncomingHttpHeaders[];

beforeEach(async () => {
  heard = [];
  server = createServer((request, response) => {
    heard.push(request.headers);
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/x-amz-json-1.0');
      const accepted = { Id: '0', MessageId: 'message', MD5OfMessageBody: md5OfBody };
      response.end(JSON.stringify({ Successful: [accepted], Failed: [] }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  vi.stubEnv('AWS_ENDPOINT_URL_SQS', `http://127.0.0.1:${port}`);
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
});
afterEach(() => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
});

async function send(): Promise<IncomingHttpHeaders | undefined> {
  const queueUrl = `${process.env.AWS_ENDPOINT_URL_SQS}/000000000000/poll`;
  await createQueueSender(createSqs(), queueUrl)([{ body: { eventId: 1 }, group: '1' }]);
  return heard[0];
}

it('a message carries the trace of the invocation that sends it', async () => {
  vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'dispatch');
  vi.stubEnv('_X_AMZN_TRACE_ID', trace);
  expect((await send())?.['x-amzn-trace-id']).toBe(trace);
});

it('a message sent outside an invocation carries none', async () => {
  vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', '');
  vi.stubEnv('_X_AMZN_TRACE_ID', '');
  expect((await send())?.['x-amzn-trace-id']).toBeUndefined();
});
