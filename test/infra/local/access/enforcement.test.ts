// A function on this machine may do what its role in the template allows, and nothing else.
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalStack } from '#infra/local/local-stack.ts';
import {
  aFunction,
  type TemporaryFolder,
  temporaryFolder,
} from '#test/infra/support/fixture-assembly.ts';
import { anEventSource, aQueue, aTable } from '#test/infra/support/resources.ts';
import { type Recorded, runStack } from '#test/infra/support/run-stack.ts';

/** Makes the calls that its event names, and returns each outcome. */
const caller = `
  import { DynamoDBClient, GetItemCommand, PutItemCommand, QueryCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
  import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
  import { SendRawEmailCommand, SESClient } from '@aws-sdk/client-ses';
  import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
  const [dynamoDb, secrets, ses, sqs] = [new DynamoDBClient(), new SecretsManagerClient(), new SESClient(), new SQSClient()];
  const { TABLE: TableName, SECRET: SecretId, QUEUE: QueueUrl } = process.env;
  const large = { S: 'x'.repeat(300_000) };
  const calls = {
    get: () => dynamoDb.send(new GetItemCommand({ TableName, Key: { pk: { S: 'a' } } })),
    put: () => dynamoDb.send(new PutItemCommand({ TableName, Item: { pk: { S: 'a' }, large } })),
    scan: () => dynamoDb.send(new ScanCommand({ TableName })),
    index: () => dynamoDb.send(new QueryCommand({
      TableName, IndexName: 'byLevel', KeyConditionExpression: '#l = :l',
      ExpressionAttributeNames: { '#l': 'level' }, ExpressionAttributeValues: { ':l': { N: '1' } },
    })),
    read: () => secrets.send(new GetSecretValueCommand({ SecretId })),
    send: () => sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries: [{ Id: '1', MessageBody: 'hello' }] })),
    mail: (Source) => ses.send(new SendRawEmailCommand({
      Source, Destinations: ['you@example.com'],
      RawMessage: { Data: Buffer.from('From: ' + Source + '\\r\\nTo: you@example.com\\r\\nSubject: s\\r\\n\\r\\nhello') },
    })),
  };
  export async function handler({ call, with: given }) {
    try {
      await calls[call](given);
      return 'done';
    } catch (error) {
      return error.name + ': ' + error.message;
    }
  }`;

const environment = {
  Environment: {
    Variables: { TABLE: { Ref: 'Table' }, SECRET: { Ref: 'Secret' }, QUEUE: { Ref: 'Queue' } },
  },
};
const sender = 'alerts@getin.example';

function aRole(...Statement: object[]): object {
  return {
    Type: 'AWS::IAM::Role',
    Properties: {
      AssumeRolePolicyDocument: {},
      Policies: [{ PolicyName: 'inline', PolicyDocument: { Version: '2012-10-17', Statement } }],
    },
  };
}

const allow = (Action: string | string[], Resource: unknown, more = {}) => ({
  ...{ Effect: 'Allow', Action, Resource },
  ...more,
});
const roleOf = (id: string) => ({ Role: { 'Fn::GetAtt': [id, 'Arn'] } });
const tableArn = { 'Fn::GetAtt': ['Table', 'Arn'] };
const queueArn = { 'Fn::GetAtt': ['Queue', 'Arn'] };

let folder: TemporaryFolder;
let stack: LocalStack;
let recorded: Recorded;

beforeAll(async () => {
  folder = temporaryFolder();
  const { outputFiles } = await build({
    stdin: { contents: caller, resolveDir: process.cwd() },
    ...{ bundle: true, write: false, platform: 'node', format: 'esm', target: 'node24' },
    mainFields: ['module', 'main'],
  });
  ({ stack, recorded } = await runStack(folder.path, {
    bundles: { caller: outputFiles[0]?.text ?? '', drain: 'export const handler = () => {};' },
    resources: {
      Table: aTable(),
      Queue: aQueue(),
      Secret: { Type: 'AWS::SecretsManager::Secret', Properties: { SecretString: 'x' } },
      FullRole: aRole(
        allow(['dynamodb:GetItem', 'dynamodb:PutItem'], tableArn),
        allow('dynamodb:Query', { 'Fn::Join': ['', [tableArn, '/index/byLevel']] }),
        allow('secretsmanager:GetSecretValue', { Ref: 'Secret' }),
        allow('ses:SendRawEmail', `arn:aws:ses:us-east-1:000000000000:identity/*`, {
          Condition: { StringEquals: { 'ses:FromAddress': sender } },
        }),
      ),
      SendPolicy: {
        Type: 'AWS::IAM::Policy',
        Properties: {
          PolicyName: 'send',
          Roles: [{ Ref: 'FullRole' }],
          PolicyDocument: {
            Version: '2012-10-17',
            Statement: [allow('sqs:SendMessage', queueArn)],
          },
        },
      },
      EmptyRole: aRole(allow('logs:PutLogEvents', '*')),
      Full: aFunction('caller', { ...environment, ...roleOf('FullRole') }),
      Empty: aFunction('caller', { ...environment, ...roleOf('EmptyRole') }),
      Roleless: aFunction('caller', environment),
      Drain: aFunction('drain', roleOf('EmptyRole')),
      Source: anEventSource('Queue', 'Drain'),
    },
  }));
}, 60_000);
afterAll(async () => {
  await stack.stop();
  folder.remove();
});

async function tell(label: string, call: string, given?: string): Promise<unknown> {
  const outcome = await stack.invoke(label, { call, with: given });
  return outcome.ok ? outcome.payload : outcome.error.errorMessage;
}

describe('a function', () => {
  it.each(['get', 'put', 'index', 'read', 'send'])(
    'does what its role allows: %s',
    async (call) => {
      expect(await tell('full', call)).toBe('done');
    },
  );

  it('sends mail only as the sender of its condition', async () => {
    expect(await tell('full', 'mail', sender)).toBe('done');
    expect(await tell('full', 'mail', 'somebody@else.example')).toBe(
      'AccessDenied: User: arn:aws:sts::000000000000:assumed-role/Test-FullRole/Test-Full is not authorized to perform: ses:SendRawEmail on resource: arn:aws:ses:us-east-1:000000000000:identity/somebody@else.example because no identity-based policy allows the ses:SendRawEmail action',
    );
  });

  it('is denied an action that its role does not name, with the action and the resource', async () => {
    expect(await tell('full', 'scan')).toBe(
      'AccessDeniedException: User: arn:aws:sts::000000000000:assumed-role/Test-FullRole/Test-Full is not authorized to perform: dynamodb:Scan on resource: arn:aws:dynamodb:us-east-1:000000000000:table/Test-Table because no identity-based policy allows the dynamodb:Scan action',
    );
  });

  it.each([
    ['get', 'dynamodb:GetItem'],
    ['put', 'dynamodb:PutItem'],
    ['index', 'dynamodb:Query'],
    ['read', 'secretsmanager:GetSecretValue'],
    ['send', 'sqs:SendMessage'],
    ['mail', 'ses:SendRawEmail'],
  ])('with a role that allows none of it is denied: %s', async (call, action) => {
    const said = await tell('empty', call, sender);
    expect(said).toMatch(/^AccessDenied/);
    expect(said).toContain(`is not authorized to perform: ${action} on resource: `);
  });

  it('without a role may do anything: CloudFormation refuses such a template', async () => {
    expect(await tell('roleless', 'scan')).toBe('done');
  });
});

describe('the person who runs it', () => {
  it('sees each denial once', async () => {
    await tell('full', 'scan');
    await tell('full', 'scan');
    const told = recorded.troubles.filter((line) => line.includes('dynamodb:Scan'));
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/^Access denied\. User: .*Test-Full is not authorized/);
  });

  it('sees that an event source may not read its queue for its function', async () => {
    stack.startTriggers();
    await expect
      .poll(() => recorded.troubles.find((line) => line.startsWith('drain: its queue')), {
        timeout: 10_000,
      })
      .toContain('is not authorized to perform: sqs:ReceiveMessage');
  });
});
