// Numbers nearer to 0 than DynamoDB stores are stored as 0, wherever they stand in a command.
import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, it } from 'vitest';
import { withoutTinyNumbers } from '#shared/dynamo/tiny-numbers.ts';
import { startDynaliteTables, type TestTables } from '#test/support/tables.ts';

let tables: TestTables;

beforeEach(async () => {
  tables = await startDynaliteTables();
  return () => tables.stop();
});

const key = { pk: 'ODD', sk: 'ODD' };

async function stored(): Promise<unknown> {
  const { Item } = await tables.client.send(
    new GetCommand({ TableName: tables.names.WATCHLIST_TABLE, Key: key }),
  );
  return Item;
}

it.each([1e-101, 1e-131, -1e-200, Number.MIN_VALUE])(
  '%d is stored as 0, also inside a list',
  async (tiny) => {
    const TableName = tables.names.WATCHLIST_TABLE;
    const Item = {
      ...key,
      chance: tiny,
      sums: [0.5, tiny, { deep: tiny }],
      bytes: new Uint8Array([7]),
    };
    await tables.client.send(new PutCommand({ TableName, Item }));
    await tables.client.send(
      new UpdateCommand({
        ...{ TableName, Key: key, UpdateExpression: 'SET faded = :faded' },
        ExpressionAttributeValues: { ':faded': tiny },
      }),
    );

    expect(await stored()).toEqual({
      ...{ ...key, chance: 0, sums: [0.5, 0, { deep: 0 }], bytes: new Uint8Array([7]), faded: 0 },
    });
  },
);

it('every other value is the same object', () => {
  const value = { least: 1e-100, none: 0, list: [1, 'a', null], bytes: new Uint8Array([1]) };

  expect(withoutTinyNumbers(value)).toBe(value);
});
