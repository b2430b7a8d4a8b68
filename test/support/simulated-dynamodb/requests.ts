// What DynamoDB answers to each operation that the product uses. An operation or a parameter that is not known here is
// refused, so that no figure comes from a question that was not understood.
import type { Path, StoredItem } from './attribute-values.ts';
import { meets, parseCondition } from './conditions.ts';
import { checkItem, checkValue } from './item-limits.ts';
import { pageOf } from './page.ts';
import { partOf, projected } from './paths.ts';
import { checkPlaceholders } from './placeholders.ts';
import { query } from './query.ts';
import { RefusedRequest } from './refused-request.ts';
import { type Answer, bindingsOf, type Input, readUnits } from './request-parts.ts';
import { keyOf, placeOf, type SimulatedTable } from './simulated-table.ts';
import { updateOf } from './updates.ts';

export type Tables = ReadonlyMap<string, SimulatedTable>;
type Carried = Answer & { commit?: () => void };
type Operation = (tables: Tables, input: Input) => Carried;

const operations: Readonly<Record<string, Operation>> = {
  GetItem: getItem,
  BatchGetItem: batchGetItem,
  PutItem: (tables, input) =>
    change(tables, { ...input, Key: keyIn(input.Item ?? {}) }, () => ({ after: input.Item })),
  UpdateItem(tables, input) {
    const update = updateOf(input.UpdateExpression ?? '', bindingsOf(input));
    return change(tables, input, (before) => ({
      after: update.appliedTo(before ?? { ...input.Key }),
      paths: update.paths,
    }));
  },
  DeleteItem: (tables, input) => change(tables, input, () => ({})),
  Query: (tables, input) => query(tableOf(tables, input), input, bindingsOf(input)),
  Scan: scan,
};

/** The answer to an operation, by its name in the API; a write happens with `commit`. @throws RefusedRequest */
export function answered(tables: Tables, operation: string, input: Input): Carried {
  const carry = operations[operation];
  if (!carry) throw new RefusedRequest('ValidationException', `${operation} is not simulated`);
  checkPlaceholders(input);
  for (const given of [input.Key, input.Item, input.ExpressionAttributeValues]) {
    if (given) checkValue({ M: given });
  }
  return carry(tables, input);
}

function tableOf(tables: Tables, { TableName = '' }: Pick<Input, 'TableName'>): SimulatedTable {
  const table = tables.get(TableName);
  if (table) return table;
  throw new RefusedRequest(
    'ResourceNotFoundException',
    `Requested resource not found: ${TableName}`,
  );
}

function keyIn({ pk = {}, sk = {} }: StoredItem): StoredItem {
  return { pk, sk };
}

function keysOf({ pk, sk }: StoredItem): { pk: string; sk: string } {
  if (!pk?.S || !sk?.S) {
    throw new RefusedRequest(
      'ValidationException',
      'One of the required keys was not given a value',
    );
  }
  return { pk: pk.S, sk: sk.S };
}

function getItem(tables: Tables, input: Input): Answer {
  const { pk, sk } = keysOf(input.Key ?? {});
  const found = tableOf(tables, input).find(pk, sk);
  const { ProjectionExpression: wanted } = input;
  const part = found && wanted ? projected(found.item(), wanted, bindingsOf(input)) : undefined;
  const text = part ? JSON.stringify(part) : found?.text();
  const units = readUnits(found?.bytes ?? 0, input.ConsistentRead);
  return {
    text: text === undefined ? '{}' : `{"Item":${text}}`,
    readBytes: found?.bytes ?? 0,
    reads: [{ place: placeOf(undefined, pk), units }],
    writes: [],
  };
}

function batchGetItem(tables: Tables, { RequestItems = {} }: Input): Answer {
  const reads: Answer['reads'] = [];
  let readBytes = 0;
  const parts = Object.entries(RequestItems).map(([name, { Keys, ConsistentRead }]) => {
    if (Keys.length > 100) {
      throw new RefusedRequest(
        'ValidationException',
        'Too many items requested for the BatchGetItem call',
      );
    }
    if (new Set(Keys.map((key) => JSON.stringify(keyIn(key)))).size < Keys.length) {
      throw new RefusedRequest(
        'ValidationException',
        'Provided list of item keys contains duplicates',
      );
    }
    const table = tableOf(tables, { TableName: name });
    const texts = Keys.flatMap((key) => {
      const { pk, sk } = keysOf(key);
      const found = table.find(pk, sk);
      readBytes += found?.bytes ?? 0;
      reads.push({
        place: placeOf(undefined, pk),
        units: readUnits(found?.bytes ?? 0, ConsistentRead),
      });
      return found ? [found.text()] : [];
    });
    return `${JSON.stringify(name)}:[${texts.join(',')}]`;
  });
  const text = `{"Responses":{${parts.join(',')}},"UnprocessedKeys":{}}`;
  return { text, readBytes, reads, writes: [] };
}

/** A write under its condition; it happens when its answer is committed. */
function change(
  tables: Tables,
  input: Input,
  next: (before: StoredItem | undefined) => {
    after?: StoredItem | undefined;
    paths?: readonly Path[];
  },
): Answer & { commit: () => void } {
  const table = tableOf(tables, input);
  const { pk, sk } = keysOf(input.Key ?? {});
  const before = table.find(pk, sk);
  const { ConditionExpression: condition } = input;
  const isMet =
    condition === undefined ||
    meets(before?.item() ?? {}, parseCondition(condition), bindingsOf(input));
  if (!isMet) {
    throw new RefusedRequest('ConditionalCheckFailedException', 'The conditional request failed');
  }
  const { after, paths = [] } = next(before?.item());
  if (after) checkItem(after, table.indexes.values());
  const shown = shownAttributes(input, { before: before?.item(), after, paths });
  return {
    text: shown ? `{"Attributes":${JSON.stringify(shown)}}` : '{}',
    readBytes: 0,
    reads: [],
    writes: table.unitsOf(before, after, pk),
    commit: () => (after ? table.put(after) : table.delete(pk, sk)),
  };
}

/** @throws RefusedRequest */
function shownAttributes(
  { ReturnValues: wanted = 'NONE' }: Input,
  change: { before: StoredItem | undefined; after: StoredItem | undefined; paths: readonly Path[] },
): StoredItem | undefined {
  switch (wanted) {
    case 'NONE':
      return undefined;
    case 'ALL_NEW':
      return change.after;
    case 'ALL_OLD':
      return change.before;
    case 'UPDATED_NEW':
      return change.after && partOf(change.after, change.paths);
    default:
      throw new RefusedRequest('ValidationException', `ReturnValues ${wanted} is not simulated`);
  }
}

/** Only of what was written: the simulation keeps no order of partitions. */
function scan(tables: Tables, input: Input): Answer {
  const { ExclusiveStartKey: start } = input;
  const after = start && keyOf(String(start.pk?.S), String(start.sk?.S));
  const entries = tableOf(tables, input).written(after);
  const page = pageOf(entries, input, { bindings: bindingsOf(input) });
  return { ...page, reads: [], writes: [] };
}
