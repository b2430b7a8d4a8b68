/** Checks a deployed stack: tables, queues and event sources exist and match. */
import { strict as assert } from 'node:assert';
import {
  DescribeTableCommand,
  DynamoDBClient,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import {
  GetFunctionCommand,
  GetFunctionConfigurationCommand,
  LambdaClient,
  ListEventSourceMappingsCommand,
} from '@aws-sdk/client-lambda';
import {
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { CloudAssembly } from '#infra/local/assembly/cloud-assembly.ts';
import type { DeployedStack } from './deploy.ts';
import type { MotoServer } from './moto-server.ts';
import { getSchedule, putSchedule, withArns } from './schedules.ts';

export interface Deployed {
  moto: MotoServer;
  stack: DeployedStack;
  assembly: CloudAssembly;
}

export const smokeTests: Readonly<Record<string, (deployed: Deployed) => Promise<void>>> = {
  'the tables have their keys and indexes': async (deployed) => {
    const client = new DynamoDBClient(deployed.moto.client);
    const indexes: string[] = [];
    for (const { physicalId: TableName } of resources(deployed, 'AWS::DynamoDB::Table')) {
      const { Table } = await client.send(new DescribeTableCommand({ TableName }));
      assert.deepEqual(
        Table?.KeySchema?.map(({ AttributeName }) => AttributeName),
        ['pk', 'sk'],
      );
      indexes.push(...(Table?.GlobalSecondaryIndexes ?? []).map(({ IndexName = '' }) => IndexName));
    }
    assert.deepEqual(indexes.sort(), ['due', 'owner', 'trigger', 'unfinished']);
  },

  'the due index answers with what is due, and no more': async (deployed) => {
    const client = new DynamoDBClient(deployed.moto.client);
    const [watchlist] = resources(deployed, 'AWS::DynamoDB::Table').filter(({ logicalId }) =>
      logicalId.includes('Watchlist'),
    );
    const TableName = watchlist?.physicalId;
    for (const nextPollAt of [1_000, 2_000, 3_000]) {
      const Item = {
        pk: { S: `EVENT#${nextPollAt}` },
        sk: { S: 'FEED#stats' },
        dueShard: { S: 'stats#00' },
        nextPollAt: { N: String(nextPollAt) },
      };
      await client.send(new PutItemCommand({ TableName, Item }));
    }
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName,
        IndexName: 'due',
        KeyConditionExpression: 'dueShard = :shard AND nextPollAt <= :now',
        ExpressionAttributeValues: { ':shard': { S: 'stats#00' }, ':now': { N: '2000' } },
      }),
    );
    assert.deepEqual(
      Items.map(({ nextPollAt }) => nextPollAt?.N),
      ['1000', '2000'],
    );
  },

  'each queue passes a message on, and those with a redrive policy lead to a queue': async (
    deployed,
  ) => {
    const client = new SQSClient(deployed.moto.client);
    const queues = resources(deployed, 'AWS::SQS::Queue');
    const arns = new Set<string>();
    const targets: string[] = [];
    for (const { physicalId: QueueUrl } of queues) {
      const { Attributes = {} } = await client.send(
        new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
      );
      arns.add(Attributes.QueueArn ?? '');
      if (Attributes.RedrivePolicy)
        targets.push(JSON.parse(Attributes.RedrivePolicy).deadLetterTargetArn);
      await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'hello' }));
      const { Messages = [] } = await client.send(new ReceiveMessageCommand({ QueueUrl }));
      assert.deepEqual(
        Messages.map(({ Body }) => Body),
        ['hello'],
      );
    }
    assert.ok(targets.length >= 4);
    assert.deepEqual(
      targets.filter((arn) => !arns.has(arn)),
      [],
    );
  },

  'each event source joins a queue to its function': async (deployed) => {
    const client = new LambdaClient(deployed.moto.client);
    const { EventSourceMappings = [] } = await client.send(new ListEventSourceMappingsCommand({}));
    const declared = resources(deployed, 'AWS::Lambda::EventSourceMapping');
    assert.equal(EventSourceMappings.length, declared.length);
    for (const { EventSourceArn = '', FunctionArn = '' } of EventSourceMappings) {
      const queue = EventSourceArn.split(':')
        .at(-1)
        ?.split('-')[1]
        ?.replace(/Queue.*/, '');
      assert.ok(queue && FunctionArn.includes(queue), `${EventSourceArn} feeds ${FunctionArn}`);
    }
  },

  // moto's CloudFormation ignores schedules, so they are created in its Scheduler directly.
  'Scheduler takes each schedule, and it aims at a function that is there': async (deployed) => {
    const client = new LambdaClient(deployed.moto.client);
    for (const { logicalId } of resources(deployed, 'AWS::Scheduler::Schedule')) {
      const declared = deployed.assembly.template.Resources[logicalId]?.Properties ?? {};
      await putSchedule(deployed.moto, logicalId, withArns(declared, deployed));
      const stored = await getSchedule(deployed.moto, logicalId);
      assert.match(stored.ScheduleExpression, /^rate\(\d+ minutes?\)$/);
      assert.equal(stored.State, 'ENABLED');
      const { Configuration } = await client.send(
        new GetFunctionCommand({ FunctionName: stored.Target.Arn }),
      );
      assert.equal(Configuration?.FunctionArn, stored.Target.Arn);
    }
  },

  'each function has an environment without holes': async (deployed) => {
    const client = new LambdaClient(deployed.moto.client);
    for (const { physicalId: FunctionName } of resources(deployed, 'AWS::Lambda::Function')) {
      const { Environment, Runtime } = await client.send(
        new GetFunctionConfigurationCommand({ FunctionName }),
      );
      assert.equal(Runtime, 'nodejs24.x');
      const odd = Object.entries(Environment?.Variables ?? {}).filter(([, value]) =>
        /[{}]|undefined|Ref/.test(value),
      );
      assert.deepEqual(odd, []);
    }
  },

  'the outputs say where things are': async ({ stack }) => {
    for (const name of ['PollDeadLetters', 'SendEmailDeadLetters']) {
      assert.ok(stack.outputs.get(name), `no output ${name}`);
    }
  },
};

function resources({ stack, assembly }: Deployed, type: string) {
  const found = Object.entries(assembly.template.Resources).filter(([, { Type }]) => Type === type);
  assert.ok(found.length > 0, `the template has no ${type}`);
  return found.map(([logicalId]) => ({
    logicalId,
    physicalId: stack.physicalIds.get(logicalId) ?? '',
  }));
}
