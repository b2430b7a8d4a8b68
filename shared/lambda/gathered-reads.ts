// Batches concurrent reads of single items into one DynamoDB request, because most of the cost of such a
// read is signing, sending and parsing the request.
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

/** Maximum number of items in one request. */
const mostAtOnce = 100;

/**
 * The same client with batched single reads. A single pending read is sent unchanged, and so is a read that
 * did not fit into DynamoDB's batch response. If the batch fails, every read in it fails.
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

/** Whether the read has no extra options; a batch can't carry them. */
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

/** The part of a request for one table: each key once, because DynamoDB refuses duplicates. */
function wanted([table, inputs]: [string, GetCommandInput[]]): [string, TablePart] {
  const keys = new Map(inputs.map((input) => [placeOf(input), input.Key ?? {}]));
  const ConsistentRead = inputs.some((input) => input.ConsistentRead);
  return [table, { Keys: [...keys.values()], ConsistentRead }];
}

function placeOf({ TableName = '', Key = {} }: GetCommandInput): string {
  return placeIn(TableName, Object.keys(Key))(Key);
}

/** @returns a function that identifies an item of a table by its key attributes. */
function placeIn(table: string, keyNames: readonly string[]) {
  const names = keyNames.toSorted();
  return (item: Record<string, unknown>): string =>
    JSON.stringify([table, ...names.map((name) => item[name])]);
}
