// Reads of single items that are asked for in the same moment go to DynamoDB as one request: what a
// request costs this side, to be signed, sent and read, is most of what such a read costs.
import {
  BatchGetCommand,
  type BatchGetCommandInput,
  type DynamoDBDocumentClient,
  GetCommand,
  type GetCommandInput,
  type GetCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import DataLoader from 'dataloader';

type TablePart = NonNullable<BatchGetCommandInput['RequestItems']>[string];

/** Items that DynamoDB takes in one request. */
const mostAtOnce = 100;

/**
 * The same client, but that it gathers single reads. One that is alone goes as it is; so does one that
 * DynamoDB had no room for in its answer to all. A failure is everybody's whose read was in the request.
 */
export function gatherReads(client: DynamoDBDocumentClient): DynamoDBDocumentClient {
  const reads = new DataLoader<GetCommandInput, GetCommandOutput>(
    (inputs) => readAll(client, inputs),
    { cache: false, maxBatchSize: mostAtOnce },
  );
  const send = (command: unknown, ...rest: []): unknown =>
    command instanceof GetCommand && isWhole(command.input)
      ? reads.load(command.input)
      : client.send(command as never, ...rest);
  return Object.create(client, { send: { value: send } });
}

const gathered = new Set(['TableName', 'Key', 'ConsistentRead']);

/** Whether it reads an item with nothing further asked, which only a request of its own can carry. */
function isWhole(input: GetCommandInput): boolean {
  const asked = Object.entries(input).filter(([, value]) => value !== undefined);
  return asked.every(([name]) => gathered.has(name));
}

async function readAll(
  client: DynamoDBDocumentClient,
  inputs: readonly GetCommandInput[],
): Promise<(GetCommandOutput | Error)[]> {
  const [first] = inputs;
  if (first && inputs.length === 1) return [await client.send(new GetCommand(first))];
  const byTable = [...Map.groupBy(inputs, ({ TableName = '' }) => TableName)];
  const { Responses, UnprocessedKeys, $metadata } = await client.send(
    new BatchGetCommand({ RequestItems: Object.fromEntries(byTable.map(wanted)) }),
  );
  const found = new Map<string, GetCommandOutput['Item']>();
  const left = new Set<string>();
  for (const [table, [{ Key: example = {} } = {} as GetCommandInput]] of byTable) {
    const place = placeIn(table, Object.keys(example));
    for (const item of Responses?.[table] ?? []) found.set(place(item), item);
    for (const key of UnprocessedKeys?.[table]?.Keys ?? []) left.add(place(key));
  }
  const answers = inputs.map((input) => {
    const place = placeOf(input);
    return left.has(place)
      ? client.send(new GetCommand(input))
      : { Item: found.get(place), $metadata };
  });
  return (await Promise.allSettled(answers)).map((answer) =>
    answer.status === 'fulfilled' ? answer.value : (answer.reason as Error),
  );
}

/** A table's part of a request: each key once, or DynamoDB refuses it. */
function wanted([table, inputs]: [string, GetCommandInput[]]): [string, TablePart] {
  const keys = new Map(inputs.map((input) => [placeOf(input), input.Key ?? {}]));
  const ConsistentRead = inputs.some((input) => input.ConsistentRead);
  return [table, { Keys: [...keys.values()], ConsistentRead }];
}

function placeOf({ TableName = '', Key = {} }: GetCommandInput): string {
  return placeIn(TableName, Object.keys(Key))(Key);
}

/** @returns a function that names an item of a table by the attributes of its key. */
function placeIn(table: string, keyNames: readonly string[]) {
  const names = keyNames.toSorted();
  return (item: Record<string, unknown>): string =>
    JSON.stringify([table, ...names.map((name) => item[name])]);
}
