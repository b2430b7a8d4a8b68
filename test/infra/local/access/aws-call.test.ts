import { expect, it } from 'vitest';
import { type AwsService, callOf, signerOf } from '#infra/local/access/aws-call.ts';

const authorization =
  'AWS4-HMAC-SHA256 Credential=Test-Worker/20260301/us-east-1/sqs/aws4_request, SignedHeaders=host, Signature=0';
const place = { region: 'us-east-1', accountId: '000000000000' };
const arn = (service: string, name: string) => `arn:aws:${service}:us-east-1:000000000000:${name}`;

function ask(service: AwsService, target: string, body: object | string) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const headers = { authorization, 'x-amz-target': target };
  const call = callOf({ headers, body: text }, { service, ...place });
  expect(call.accessKeyId).toBe('Test-Worker');
  return call.accesses.map(({ action, resource }) => `${action} on ${resource}`);
}

it.each<[AwsService, string, object, string]>([
  [
    'dynamodb',
    'DynamoDB_20120810.GetItem',
    { TableName: 'T' },
    `dynamodb:GetItem on ${arn('dynamodb', 'table/T')}`,
  ],
  [
    'dynamodb',
    'DynamoDB_20120810.Query',
    { TableName: 'T', IndexName: 'due' },
    `dynamodb:Query on ${arn('dynamodb', 'table/T/index/due')}`,
  ],
  ['dynamodb', 'DynamoDB_20120810.ListTables', {}, 'dynamodb:ListTables on *'],
  [
    'dynamodb',
    'DynamoDB_20120810.BatchWriteItem',
    { RequestItems: { T: [] } },
    `dynamodb:BatchWriteItem on ${arn('dynamodb', 'table/T')}`,
  ],
  [
    'dynamodb',
    'DynamoDB_20120810.BatchGetItem',
    { RequestItems: {} },
    'dynamodb:BatchGetItem on *',
  ],
  [
    'sqs',
    'AmazonSQS.SendMessageBatch',
    { QueueUrl: 'http://127.0.0.1:1/000000000000/Q' },
    `sqs:SendMessage on ${arn('sqs', 'Q')}`,
  ],
  [
    'sqs',
    'AmazonSQS.ReceiveMessage',
    { QueueUrl: 'http://127.0.0.1:1/000000000000/Q' },
    `sqs:ReceiveMessage on ${arn('sqs', 'Q')}`,
  ],
  [
    'secretsmanager',
    'secretsmanager.GetSecretValue',
    { SecretId: 'arn:s' },
    'secretsmanager:GetSecretValue on arn:s',
  ],
])('%s %s %j is an access as IAM names it', (service, target, body, access) => {
  expect(ask(service, target, body)).toEqual([access]);
});

it('a batch over two tables is an access to each', () => {
  const body = { RequestItems: { T: {}, U: {} } };
  expect(ask('dynamodb', 'DynamoDB_20120810.BatchGetItem', body)).toEqual([
    `dynamodb:BatchGetItem on ${arn('dynamodb', 'table/T')}`,
    `dynamodb:BatchGetItem on ${arn('dynamodb', 'table/U')}`,
  ]);
});

it('a body that is no JSON names no resource, so it needs access to all', () => {
  expect(ask('dynamodb', 'DynamoDB_20120810.GetItem', '{')).toEqual(['dynamodb:GetItem on *']);
});

it('a mail asks for the identity of its sender and for its configuration set', () => {
  const body = new URLSearchParams({
    ...{ Action: 'SendRawEmail', Source: 'a@b.example', ConfigurationSetName: 'set' },
    'RawMessage.Data': 'aGVsbG8=',
  });
  expect(ask('ses', '', body.toString())).toEqual([
    `ses:SendRawEmail on ${arn('ses', 'identity/a@b.example')}`,
    `ses:SendRawEmail on ${arn('ses', 'configuration-set/set')}`,
  ]);
  expect(ask('ses', '', 'Action=GetSendQuota')).toEqual(['ses:GetSendQuota on *']);
});

it('an unsigned request has no signer', () => {
  expect(signerOf({})).toBeUndefined();
  expect(signerOf({ authorization: 'Bearer getin_x' })).toBeUndefined();
});
