import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LocalStack } from '#infra/local/local-stack.ts';
import {
  aFunction,
  type FixtureAssembly,
  type TemporaryFolder,
  temporaryFolder,
} from '../support/fixture-assembly.ts';
import { aQueue, aSchedule, aTable } from '../support/resources.ts';
import { runStack } from '../support/run-stack.ts';

const client = {
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
};
const echo = 'export const handler = async (event) => event;';

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

async function withStack<T>(
  assembly: FixtureAssembly,
  use: (stack: LocalStack) => Promise<T> | T,
): Promise<T> {
  const { stack } = await runStack(folder.path, assembly);
  try {
    return await use(stack);
  } finally {
    await stack.stop();
  }
}

describe('data', () => {
  const assembly = {
    resources: { Table: aTable() },
    outputs: { Table: { Value: { Ref: 'Table' } } },
  };

  it('in a table survives a restart', async () => {
    const key = { pk: { S: 'a' } };
    await withStack(assembly, async ({ endpoints, outputs }) => {
      const dynamoDb = new DynamoDBClient({ ...client, endpoint: endpoints.dynamoDb });
      await dynamoDb.send(new PutItemCommand({ TableName: outputs.Table, Item: key }));
    });
    const kept = await withStack(assembly, ({ endpoints, outputs }) => {
      const dynamoDb = new DynamoDBClient({ ...client, endpoint: endpoints.dynamoDb });
      return dynamoDb.send(new GetItemCommand({ TableName: outputs.Table, Key: key }));
    });
    expect(kept.Item).toEqual(key);
  });

  it('in a table that the template has changed is kept, and the error says what to do', async () => {
    await withStack(assembly, () => {});
    const changed = { resources: { Table: aTable({ GlobalSecondaryIndexes: undefined }) } };
    await expect(withStack(changed, () => {})).rejects.toThrow(
      'Resource Table (AWS::DynamoDB::Table): the table kept from an earlier run has other keys ' +
        'or indexes; start with --fresh.',
    );
  });

  it('of a secret is generated once, kept, and read through the SDK', async () => {
    const secret = {
      Type: 'AWS::SecretsManager::Secret',
      Properties: {
        GenerateSecretString: {
          SecretStringTemplate: '{"prefix":"getin_"}',
          GenerateStringKey: 'secret',
          PasswordLength: 64,
          ExcludePunctuation: true,
        },
      },
    };
    const withSecret = { resources: { Key: secret }, outputs: { Key: { Value: { Ref: 'Key' } } } };
    const read = () =>
      withStack(withSecret, async ({ endpoints, outputs }) => {
        const secrets = new SecretsManagerClient({ ...client, endpoint: endpoints.secretsManager });
        return secrets.send(new GetSecretValueCommand({ SecretId: outputs.Key }));
      });
    const { SecretString = '' } = await read();
    expect(JSON.parse(SecretString)).toEqual({
      prefix: 'getin_',
      secret: expect.stringMatching(/^[A-Za-z0-9]{64}$/),
    });
    expect((await read()).SecretString).toBe(SecretString);
  });
});

describe('a template', () => {
  it('leaves out resources whose condition is false', async () => {
    const assembly = {
      bundles: { echo },
      parameters: { Stage: { Type: 'String', Default: 'dev' } },
      conditions: { IsProd: { 'Fn::Equals': [{ Ref: 'Stage' }, 'prod'] } },
      resources: {
        Always: aFunction('echo'),
        OnlyProd: { ...aFunction('echo'), Condition: 'IsProd' },
      },
    };
    await withStack(assembly, async (stack) => {
      expect(await stack.invoke('always', 1)).toEqual({ ok: true, payload: 1 });
      expect(() => stack.invoke('onlyprod', 1)).toThrow('has no function onlyprod');
    });
  });

  it('may have alarms, dashboards, roles and so on, whatever they refer to', async () => {
    const resources = {
      Queue: aQueue(),
      Alarm: {
        Type: 'AWS::CloudWatch::Alarm',
        Properties: { a: { 'Fn::GetAtt': ['Queue', 'X'] } },
      },
      Dashboard: { Type: 'AWS::CloudWatch::Dashboard' },
      Role: { Type: 'AWS::IAM::Role' },
      Logs: { Type: 'AWS::Logs::LogGroup' },
    };
    await expect(withStack({ resources }, (stack) => stack.isIdle())).resolves.toBe(true);
  });

  it.each([
    [
      'a type that is unknown',
      { Stream: { Type: 'AWS::Kinesis::Stream' } },
      "Resource Stream (AWS::Kinesis::Stream): the local run can't run a resource of this type.",
    ],
    [
      'a property that is unknown',
      { Queue: aQueue({ FifoQueue: true }) },
      'Resource Queue (AWS::SQS::Queue): the local run does not handle its property FifoQueue.',
    ],
    [
      'another runtime',
      { Fn: aFunction('echo', { Runtime: 'nodejs22.x' }) },
      /Resource Fn \(AWS::Lambda::Function\): its property Runtime is not as expected/,
    ],
    [
      'a function whose role has managed policies',
      {
        Role: {
          Type: 'AWS::IAM::Role',
          Properties: { ManagedPolicyArns: ['arn:aws:iam::aws:policy/A'] },
        },
        Fn: aFunction('echo', { Role: { 'Fn::GetAtt': ['Role', 'Arn'] } }),
      },
      /Resource Fn .*: its role .*Role has managed policies, which can't be checked here/,
    ],
    [
      'code that is not there',
      { Fn: aFunction('elsewhere') },
      "Resource Fn (AWS::Lambda::Function): its code elsewhere.zip is not among the assembly's assets.",
    ],
    [
      'an import',
      { Queue: aQueue({ DelaySeconds: { 'Fn::ImportValue': 'x' } }) },
      /Resource Queue \(AWS::SQS::Queue\): Fn::ImportValue takes a value from another stack/,
    ],
    [
      'a cron schedule',
      {
        Fn: aFunction('echo'),
        Nightly: aSchedule('Fn', { ScheduleExpression: 'cron(0 3 * * ? *)' }),
      },
      /Resource Nightly .*takes rate\(N minutes\|hours\|days\), not "cron\(0 3 \* \* \? \*\)"/,
    ],
    [
      'a reference to nothing',
      { Queue: aQueue({ DelaySeconds: { Ref: 'Gone' } }) },
      'Resource Queue (AWS::SQS::Queue): The template has no resource Gone.',
    ],
  ])('with %s is refused by name', async (_, resources: Record<string, object>, message) => {
    await expect(withStack({ resources, bundles: { echo } }, () => {})).rejects.toThrow(message);
  });
});
