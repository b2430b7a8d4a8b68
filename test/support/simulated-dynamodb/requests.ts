// What DynamoDB answers to each operation that the product uses. An operation or a parameter that is not known here is
// refused, so that no figure comes from a question that was not understood.
import type { StoredItem } from './attribute-values.ts';
import { bytesOf } from './attribute-values.ts';
import { meets, parseCondition } from './conditions.ts';
import { projected } from './paths.ts';
import { query } from './query.ts';
import { RefusedRequest } from './refused-request.ts';
import { type Answer, bindingsOf, type Input, readUnits } from './request-parts.ts';
import { placeOf, type SimulatedTable } from './simulated-table.ts';
import { updated } from './updates.ts';

export type Tables = ReadonlyMap<string, SimulatedTable>;
type Operation = (tables: Tables, input: Input) => Answer & { commit?: () => void };

/** The largest item that DynamoDB stores. */
const mostItemBytes = 400 * 1_024;

export const operations: Readonly<Record<string, Operation>> = {
  GetItem: getItem,
  BatchGetItem: batchGetItem,
  PutItem: (tables, input) =>
    change(tables, { ...input, Key: keyIn(input.Item ?? {}) }, () => input.Item ?? {}),
  UpdateItem: (tables, input) =>
    change(tables, input, (before) =>
      updated(before ?? { ...input.Key }, input.UpdateExpression ?? '', bindingsOf(input)),
    ),
  DeleteItem: (tables, input) => change(tables, input, () => undefined),
  Query: (tables, input) => query(tableOf(tables, input), input, bindingsOf(input)),
  Scan: scan,
};

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
  if (pk?.S === undefined || sk?.S === undefined) {
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
  next: (before: StoredItem | undefined) => StoredItem | undefined,
): Answer & { commit: () => void } {
  const table = tableOf(tables, input);
  const { pk, sk } = keysOf(input.Key ?? {});
  const before = table.find(pk, sk);
  const { ConditionExpression: condition, ReturnValues: returned = 'NONE' } = input;
  const isMet =
    condition === undefined ||
    meets(before?.item() ?? {}, parseCondition(condition), bindingsOf(input));
  if (!isMet) {
    throw new RefusedRequest('ConditionalCheckFailedException', 'The conditional request failed');
  }
  const after = next(before?.item());
  if (after && bytesOf(after) > mostItemBytes) {
    throw new RefusedRequest(
      'ValidationException',
      'Item size to update has exceeded the maximum allowed size',
    );
  }
  if (!['NONE', 'ALL_NEW', 'ALL_OLD'].includes(returned)) {
    throw new RefusedRequest('ValidationException', `ReturnValues ${returned} is not simulated`);
  }
  const shown =
    returned === 'ALL_NEW' ? after : returned === 'ALL_OLD' ? before?.item() : undefined;
  return {
    text: shown ? `{"Attributes":${JSON.stringify(shown)}}` : '{}',
    readBytes: 0,
    reads: [],
    writes: table.unitsOf(before, after, pk),
    commit: () => (after ? table.put(after) : table.delete(pk, sk)),
  };
}

/** Only of what was written: the simulation keeps no order of partitions, so a scan ends with its first page. */
function scan(tables: Tables, input: Input): Answer {
  const entries = tableOf(tables, input).all().slice(0, 1_000);
  const readBytes = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  const text = `{"Count":${entries.length},"Items":[${entries.map((each) => each.text()).join(',')}]}`;
  return { text, readBytes, reads: [], writes: [] };
}
