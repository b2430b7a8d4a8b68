/** Which table takes the place of which, and whether DynamoDB can restore it. Changes nothing. */
import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import { type ProductTable, tableOutputs } from '../../restored-names.ts';
import { OperatorError } from '../command.ts';
import type { DeployedStack } from '../stack.ts';
import type { RestoreRequest } from './restore-request.ts';

export interface PlannedTable {
  readonly table: ProductTable;
  /** The table from before the restore. */
  readonly from: string;
  readonly to: string;
  /** The table of this name, as far as an earlier run has come. */
  readonly there: TableDescription | undefined;
  /** The stack uses it already. */
  readonly isInUse: boolean;
}

interface Planning {
  readonly stackName: string;
  readonly stack: DeployedStack;
  readonly dynamoDb: DynamoDBClient;
}

/**
 * @returns nothing if there is no restore to go back from
 * @throws OperatorError if a table can't be restored to that time
 */
export async function planTables(
  { at, tables }: RestoreRequest,
  planning: Planning,
): Promise<PlannedTable[]> {
  const planned: PlannedTable[] = [];
  for (const table of tables) {
    const used = planning.stack.outputs.get(tableOutputs[table]);
    if (used === undefined) throw new OperatorError(needsDeployment);
    const plan = at === undefined ? planBack : planRestore;
    const found = await plan({ table, used, at: at ?? 0 }, planning);
    if (found) planned.push(found);
  }
  return planned;
}

export const needsDeployment =
  'The stack can’t follow restored tables yet: deploy this version of the repository first.';

interface Wanted {
  table: ProductTable;
  /** The table that the stack uses. */
  used: string;
  at: number;
}

async function planRestore(
  { table, used, at }: Wanted,
  { stackName, dynamoDb }: Planning,
): Promise<PlannedTable> {
  const to = restoredName(stackName, table, at);
  const there = await describeTable(dynamoDb, to);
  if (there) {
    return { table, from: sourceOf(there) ?? used, to, there, isInUse: used === to };
  }
  await requireWindow(used, at, dynamoDb);
  return { table, from: used, to, there, isInUse: false };
}

/** To the table that the one in use was restored from; undefined if it is the stack's own. */
async function planBack(
  { table, used }: Wanted,
  { dynamoDb }: Planning,
): Promise<PlannedTable | undefined> {
  const current = await describeTable(dynamoDb, used);
  const to = current && sourceOf(current);
  if (to === undefined) return undefined;
  const there = await describeTable(dynamoDb, to);
  if (there) return { table, from: used, to, there, isInUse: false };
  throw new OperatorError(`The table from before the restore, ${to}, is not there any more.`);
}

/** Such as `Getin-watchlist-at-20261130T080000Z`: the same command finds it again. */
function restoredName(stackName: string, table: ProductTable, at: number): string {
  const time = new Date(at).toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
  return `${stackName}-${table}-at-${time}`;
}

function sourceOf({ RestoreSummary }: TableDescription): string | undefined {
  return RestoreSummary?.SourceTableArn?.split('/').at(1);
}

export async function describeTable(
  client: DynamoDBClient,
  TableName: string,
): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

/** @throws OperatorError outside of the time that DynamoDB's backups reach */
async function requireWindow(TableName: string, at: number, client: DynamoDBClient): Promise<void> {
  const { ContinuousBackupsDescription } = await client.send(
    new DescribeContinuousBackupsCommand({ TableName }),
  );
  const {
    PointInTimeRecoveryStatus: status,
    EarliestRestorableDateTime: first,
    LatestRestorableDateTime: last,
  } = ContinuousBackupsDescription?.PointInTimeRecoveryDescription ?? {};
  if (status !== 'ENABLED' || !first || !last) {
    throw new OperatorError(
      `Table ${TableName} has no point-in-time recovery, so it can’t be restored: switch it on for the next time.`,
    );
  }
  if (at >= first.getTime() && at <= last.getTime()) return;
  throw new OperatorError(
    `Table ${TableName} can be restored to a time from ${first.toISOString()} to ${last.toISOString()}, not to ${new Date(at).toISOString()}.`,
  );
}
