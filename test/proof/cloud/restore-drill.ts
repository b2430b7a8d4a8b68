/** A restore against moto: its tables are restored to a moment and brought up to date by the command's own steps. */
import { strict as assert } from 'node:assert';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  UpdateContinuousBackupsCommand,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { bringUpToDate } from '#infra/operate/restore/bring-up-to-date.ts';
import { makeTables } from '#infra/operate/restore/make-tables.ts';
import { planTables } from '#infra/operate/restore/plan-tables.ts';
import { describeStack } from '#infra/operate/stack.ts';
import { perhapsSentReason } from '#shared/delivery/restored-delivery.ts';
import { createWatchlistTable } from '#shared/dynamo/tables.ts';
import type { Deployed } from './smoke-tests.ts';

const hour = 3_600_000;

export const restoreTests: Readonly<Record<string, (deployed: Deployed) => Promise<void>>> = {
  'a restore makes a table with indexes, TTL and backups, and knows what was sent since': async ({
    moto,
    stack,
  }) => {
    const dynamoDb = new DynamoDBClient(moto.client);
    const clients = { dynamoDb, cloudFormation: new CloudFormationClient(moto.client) };
    const documents = DynamoDBDocumentClient.from(dynamoDb);
    const found = await describeStack(stack.name, clients);
    assert.ok(found);
    const used = found.outputs.get('WatchlistTable') ?? '';
    // moto's CloudFormation does not switch it on.
    const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
    await dynamoDb.send(
      new UpdateContinuousBackupsCommand({ TableName: used, PointInTimeRecoverySpecification }),
    );
    // It restores to one moment only, with the items of now.
    const at = (await backupsOf(dynamoDb, used))?.LatestRestorableDateTime?.getTime() ?? 0;
    const delivery = aDelivery('dlv_waiting', Date.now() - hour);
    const put = (TableName: string, Item: object) =>
      documents.send(new PutCommand({ TableName, Item: { ...Item } }));
    await put(used, delivery);

    const request = {
      ...{ pin: { stage: 'prod' as const }, at, isCheck: false, isConfirmed: true },
      tables: ['watchlist'] as const,
    };
    const planned = await planTables(request, { stackName: stack.name, stack: found, dynamoDb });
    await makeTables(planned, { at, stage: 'prod' }, { clients, wait, say: () => {} });
    const [watchlist] = planned;
    assert.ok(watchlist);
    const { to: restored } = watchlist;
    assert.equal(planned.length, 1);

    const { Table } = await dynamoDb.send(new DescribeTableCommand({ TableName: restored }));
    assert.deepEqual(Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName).sort(), [
      'due',
      'owner',
      'trigger',
      'unfinished',
    ]);
    assert.equal(Table?.DeletionProtectionEnabled, true);
    const { TimeToLiveDescription } = await dynamoDb.send(
      new DescribeTimeToLiveCommand({ TableName: restored }),
    );
    assert.equal(TimeToLiveDescription?.AttributeName, 'expiresAtEpochSeconds');
    const backups = await backupsOf(dynamoDb, restored);
    assert.equal(backups?.PointInTimeRecoveryStatus, 'ENABLED');

    await put(used, { ...delivery, status: 'sending', claims: 1 });
    await put(used, { ...aDelivery('dlv_later', at + 1), status: 'sent', sentAt: at + 1 });
    const done = await bringUpToDate({
      restored: createWatchlistTable(documents, restored),
      witness: createWatchlistTable(documents, used),
      ...{ to: at, stoppedAt: at + hour, say: () => {} },
    });
    assert.deepEqual(done.deliveries, { keep: 0, adopt: 0, perhaps_sent: 1 });
    assert.equal(done.carried.delivery, 1);
    const read = async (id: string) =>
      (await documents.send(new GetCommand({ TableName: restored, Key: keyOf(id) }))).Item;
    assert.equal((await read('dlv_waiting'))?.lastReason, perhapsSentReason);
    assert.equal((await read('dlv_later'))?.status, 'sent');

    // The same command again finds its tables.
    const again = await planTables(request, { stackName: stack.name, stack: found, dynamoDb });
    assert.deepEqual(
      again.map(({ from, there }) => [from, there?.TableStatus]),
      planned.map(({ from }) => [from, 'ACTIVE']),
    );
  },
};

async function backupsOf(client: DynamoDBClient, TableName: string) {
  const { ContinuousBackupsDescription } = await client.send(
    new DescribeContinuousBackupsCommand({ TableName }),
  );
  return ContinuousBackupsDescription?.PointInTimeRecoveryDescription;
}

function keyOf(deliveryId: string) {
  return { pk: `DELIVERY#${deliveryId}`, sk: 'DELIVERY' };
}

function aDelivery(deliveryId: string, createdAt: number) {
  return {
    ...keyOf(deliveryId),
    ...{ deliveryId, purpose: 'alert', ownerId: 'own_1', channelId: 'ch_1', channelKind: 'email' },
    ...{ isUrgent: false, status: 'pending', attempts: 0, claims: 0, log: [] },
    ...{ createdAt, dueAt: createdAt, nextAttemptAt: createdAt, unfinishedShard: 'unfinished#00' },
    ...{ ownerKey: 'own_1#delivery', ownerSort: `${createdAt}#${deliveryId}` },
  };
}

/** moto answers at once. */
function wait(): Promise<void> {
  return new Promise((resume) => setTimeout(resume, 50));
}
