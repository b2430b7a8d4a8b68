/**
 * Makes the new tables from DynamoDB's backups and sets what a restored table does not take over: its TTL, its own
 * backups, its protection and its tags. Each step looks first, so that a repeat goes on.
 */
import {
  DescribeContinuousBackupsCommand,
  DescribeTimeToLiveCommand,
  RestoreTableToPointInTimeCommand,
  TagResourceCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import type { Stage } from '../../config.ts';
import type { OperatorClients } from '../aws-connection.ts';
import type { Waiting } from '../change-set.ts';
import { OperatorError } from '../command.ts';
import { describeTable, type PlannedTable } from './plan-tables.ts';

const lookEveryMs = 20_000;
/** A day: DynamoDB takes some 20 minutes for a small table, hours for a large one. */
const mostLooks = 4_320;
const timeToLiveAttribute = 'expiresAtEpochSeconds';

interface TableTools extends Waiting {
  readonly clients: Pick<OperatorClients, 'dynamoDb'>;
}

/** Asks for each table that is not there yet, then waits for all. @param at epoch milliseconds */
export async function makeTables(
  planned: readonly PlannedTable[],
  { at, stage }: { at: number; stage: Stage },
  tools: TableTools,
): Promise<void> {
  for (const { from, to, there } of planned) {
    if (there) continue;
    tools.say(`DynamoDB makes ${to} of ${from}.`);
    await tools.clients.dynamoDb.send(
      new RestoreTableToPointInTimeCommand({
        ...{ SourceTableName: from, TargetTableName: to, RestoreDateTime: new Date(at) },
      }),
    );
  }
  for (const { to } of planned) {
    await untilActive(to, tools);
    await setUp(to, stage, tools);
  }
}

async function untilActive(name: string, tools: TableTools) {
  for (let look = 0; look < mostLooks; look += 1) {
    const table = await describeTable(tools.clients.dynamoDb, name);
    if (table?.TableStatus === 'ACTIVE') return table;
    if (look % 15 === 0) tools.say(`Table ${name}: ${table?.TableStatus ?? 'not there yet'}`);
    await tools.wait(lookEveryMs);
  }
  throw new OperatorError(
    `Table ${name} is not ready after a day; run the same command again later.`,
  );
}

async function setUp(TableName: string, stage: Stage, tools: TableTools): Promise<void> {
  const { dynamoDb } = tools.clients;
  const { TimeToLiveDescription: ttl } = await dynamoDb.send(
    new DescribeTimeToLiveCommand({ TableName }),
  );
  if (ttl?.TimeToLiveStatus !== 'ENABLED' && ttl?.TimeToLiveStatus !== 'ENABLING') {
    const TimeToLiveSpecification = { AttributeName: timeToLiveAttribute, Enabled: true };
    await dynamoDb.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  }
  const { ContinuousBackupsDescription: backups } = await dynamoDb.send(
    new DescribeContinuousBackupsCommand({ TableName }),
  );
  if (backups?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus !== 'ENABLED') {
    const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
    await dynamoDb.send(
      new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }),
    );
  }
  const table = await untilActive(TableName, tools);
  if (stage === 'prod' && table.DeletionProtectionEnabled !== true) {
    await dynamoDb.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: true }));
    await untilActive(TableName, tools);
  }
  const Tags = Object.entries({ project: 'getin', stage }).map(([Key, Value]) => ({ Key, Value }));
  await dynamoDb.send(new TagResourceCommand({ ResourceArn: table.TableArn, Tags }));
}
