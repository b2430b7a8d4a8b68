// Damages single fields of stored items, and records the faults that reading them reports.
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach } from 'vitest';
import { type FaultReport, listenForFaults } from '#shared/fault-report.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

export const now = Date.parse('2026-03-05T12:00:00Z');
export const day = '2026-03-05';

export const damages = [
  ['removed', undefined],
  ['of another type', ['odd']],
] as const;

/** Each field with each damage, as rows of a test table. */
export const eachDamageOf = (fields: readonly string[]) =>
  fields.flatMap((field) => damages.map(([change, value]) => [field, change, value] as const));

/** Fresh tables before each test; during a test, `opened` has them and the faults reported so far. */
export function openDamage() {
  const opened = {} as { tables: TestTables; faults: FaultReport[] };

  beforeEach(async () => {
    opened.tables = await startTestTables();
    opened.faults = [];
    const stopListening = listenForFaults((report) => opened.faults.push(report));
    return async () => {
      stopListening();
      await opened.tables.stop();
    };
  });

  /** Sets a field of a stored item, or removes it if no value is given. */
  async function damage(
    pk: string,
    sk: string,
    field: string,
    value?: unknown,
    table = 'Watchlist',
  ) {
    const isRemoved = value === undefined;
    await opened.tables.client.send(
      new UpdateCommand({
        TableName: table,
        Key: { pk, sk },
        UpdateExpression: isRemoved ? 'REMOVE #f' : 'SET #f = :v',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeNames: { '#f': field },
        ...(!isRemoved && { ExpressionAttributeValues: { ':v': value } }),
      }),
    );
  }

  return { opened, damage };
}
