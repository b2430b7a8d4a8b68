/** AWS::DynamoDB::Table → a table in dynalite, kept between runs. */
import {
  CreateTableCommand,
  DescribeTableCommand,
  ResourceNotFoundException,
  type TableDescription,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { LocalRunError } from '../errors.ts';
import { arnOf, type Cloud, physicalName } from './cloud.ts';
import { inertProperty, provisioner } from './provisioner.ts';

const keySchema = z.array(
  z.strictObject({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }),
);

const propertiesSchema = z.strictObject({
  AttributeDefinitions: z.array(
    z.strictObject({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) }),
  ),
  KeySchema: keySchema,
  GlobalSecondaryIndexes: z
    .array(
      z.strictObject({
        IndexName: z.string(),
        KeySchema: keySchema,
        Projection: z.strictObject({ ProjectionType: z.literal('ALL') }),
      }),
    )
    .optional(),
  BillingMode: z.literal('PAY_PER_REQUEST'),
  // Readers ignore expired items themselves, because AWS may take days to delete them.
  TimeToLiveSpecification: inertProperty,
  DeletionProtectionEnabled: inertProperty,
  PointInTimeRecoverySpecification: inertProperty,
  OnDemandThroughput: inertProperty,
  SSESpecification: inertProperty,
  Tags: inertProperty,
});

/** Even a busy machine has a table ready in less. */
const mostWaitSeconds = 30;

type TableProperties = z.infer<typeof propertiesSchema>;

export const provisionTable = provisioner(propertiesSchema, async (properties, resource, cloud) => {
  const TableName = physicalName(cloud, resource);
  const existing = await describe(cloud, TableName);
  if (!existing) {
    await cloud.dynamoDb.send(
      new CreateTableCommand({
        TableName,
        AttributeDefinitions: properties.AttributeDefinitions,
        KeySchema: properties.KeySchema,
        GlobalSecondaryIndexes: properties.GlobalSecondaryIndexes,
        BillingMode: properties.BillingMode,
      }),
    );
    await waitUntilTableExists(
      { client: cloud.dynamoDb, maxWaitTime: mostWaitSeconds, minDelay: 0.05, maxDelay: 1 },
      { TableName },
    );
  } else if (shapeOf(existing) !== shapeOf(properties)) {
    throw new LocalRunError(
      'the table kept from an earlier run has other keys or indexes; start with --fresh',
    );
  }
  return { ref: TableName, attributes: { Arn: arnOf(cloud, 'dynamodb', `table/${TableName}`) } };
});

async function describe(cloud: Cloud, TableName: string): Promise<TableDescription | undefined> {
  try {
    const { Table } = await cloud.dynamoDb.send(new DescribeTableCommand({ TableName }));
    return Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

/** Keys, their types and the indexes, in one comparable text. */
function shapeOf(table: TableDescription | TableProperties): string {
  const types = (table.AttributeDefinitions ?? []).map(
    ({ AttributeName, AttributeType }) => `${AttributeName}:${AttributeType}`,
  );
  const indexes = (table.GlobalSecondaryIndexes ?? []).map(
    ({ IndexName, KeySchema }) => `${IndexName}=${keysOf(KeySchema)}`,
  );
  return [types.sort().join(), keysOf(table.KeySchema), indexes.sort().join()].join(' ');
}

function keysOf(keys: TableDescription['KeySchema'] = []): string {
  return keys.map(({ AttributeName, KeyType }) => `${AttributeName}/${KeyType}`).join('+');
}
