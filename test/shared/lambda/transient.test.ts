import {
  ConditionalCheckFailedException,
  DynamoDBServiceException,
} from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { QueueSendError } from '#shared/lambda/queue-sender.ts';
import { isTransient } from '#shared/lambda/transient.ts';

function awsError(name: string, httpStatusCode: number): DynamoDBServiceException {
  return new DynamoDBServiceException({
    name,
    $fault: httpStatusCode < 500 ? 'client' : 'server',
    $metadata: { httpStatusCode },
  });
}

const itself: Record<string, unknown> = { name: 'Loop' };
itself.cause = itself;

it.each([
  ['throttling', awsError('ProvisionedThroughputExceededException', 400)],
  ['a server error of AWS', awsError('Whatever', 500)],
  ['a role that lacks a permission', awsError('AccessDeniedException', 400)],
  ['credentials that have run out', awsError('ExpiredTokenException', 400)],
  ['a lost connection', Object.assign(new Error('read'), { code: 'ECONNRESET' })],
  ['a timeout', Object.assign(new Error('late'), { name: 'TimeoutError' })],
  ['a queue that took nothing', new QueueSendError('1 messages were not accepted', 1)],
  ['an error caused by one of these', new Error('outer', { cause: awsError('Throttling', 400) })],
])('calls %s transient', (_what, error) => {
  expect(isTransient(error)).toBe(true);
});

it.each([
  ['a time zone that does not exist', new RangeError('Forbidden ICU TimeZone')],
  ['a value that DynamoDB refuses', awsError('ValidationException', 400)],
  [
    'a condition that did not hold',
    new ConditionalCheckFailedException({ message: '', $metadata: {} }),
  ],
  ['undefined', undefined],
  ['a text', 'boom'],
  ['an error that is its own cause', itself],
])('does not call %s transient', (_what, error) => {
  expect(isTransient(error)).toBe(false);
});
