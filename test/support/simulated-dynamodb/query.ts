// Queries of a table or of an index: a page ends after 1 MB of what is read, as in DynamoDB.
import type { AttributeValue, StoredItem } from './attribute-values.ts';
import { type Condition, meets, type Operand, parseCondition } from './conditions.ts';
import { type Bindings, pathOf, projected } from './paths.ts';
import { RefusedRequest } from './refused-request.ts';
import { type Answer, type Input, readUnits } from './request-parts.ts';
import {
  type IndexDefinition,
  keyOf,
  placeOf,
  type SimulatedTable,
  sortOf,
} from './simulated-table.ts';
import {
  type Entry,
  orderOfEntries,
  orderOfSort,
  type SortValue,
  type Span,
} from './sorted-entries.ts';

const pageBytes = 1_048_576;

/** @throws RefusedRequest */
export function query(table: SimulatedTable, input: Input, bindings: Bindings): Answer {
  const index = indexOf(table, input);
  const keys = { partition: index?.partition ?? 'pk', sort: index?.sort ?? 'sk' };
  const asked = keyCondition(input, keys, bindings);
  const span = spanOf(asked, input, keys);
  const filter = input.FilterExpression ? parseCondition(input.FilterExpression) : undefined;
  const texts: string[] = [];
  const { Limit = Number.POSITIVE_INFINITY } = input;
  let [readBytes, scanned, counted] = [0, 0, 0];
  let last: Entry | undefined;
  let isCut = false;
  for (const entry of table.entries(index?.name, asked.value, span)) {
    if (scanned >= Limit || readBytes >= pageBytes) {
      isCut = true;
      break;
    }
    scanned += 1;
    readBytes += index?.projection === 'KEYS_ONLY' ? 100 : entry.bytes;
    last = entry;
    if (filter && !meets(entry.item(), filter, bindings)) continue;
    counted += 1;
    if (input.Select !== 'COUNT') texts.push(shown(entry, { input, index, bindings }));
  }
  // DynamoDB also gives a key where exactly the last entry filled the page.
  const isEnd = !isCut && scanned < Limit && readBytes < pageBytes;
  const lastKey =
    isEnd || !last ? '' : `,"LastEvaluatedKey":${JSON.stringify(startKeyOf(last, index))}`;
  const items = input.Select === 'COUNT' ? '' : `,"Items":[${texts.join(',')}]`;
  return {
    text: `{"Count":${counted},"ScannedCount":${scanned}${items}${lastKey}}`,
    readBytes,
    reads: [
      {
        place: placeOf(index?.name, asked.value),
        units: readUnits(readBytes, input.ConsistentRead),
      },
    ],
    writes: [],
  };
}

function indexOf(table: SimulatedTable, { IndexName: name, ConsistentRead }: Input) {
  if (name === undefined) return undefined;
  const index = table.indexes.get(name);
  if (!index || ConsistentRead) {
    const reason = index
      ? 'Consistent reads are not supported on global secondary indexes'
      : `The table does not have the specified index: ${name}`;
    throw new RefusedRequest('ValidationException', reason);
  }
  return index;
}

interface Keys {
  partition: string;
  sort: string;
}

interface Asked {
  value: string;
  /** What the sort key must be like; undefined for any. */
  range: ((sort: SortValue) => 'before' | 'within' | 'after') | undefined;
}

function keyCondition(
  { KeyConditionExpression: text = '' }: Input,
  keys: Keys,
  bindings: Bindings,
): Asked {
  const condition = parseCondition(text);
  const parts = condition.kind === 'and' ? condition.parts : [condition];
  let value: string | undefined;
  let range: Asked['range'];
  for (const part of parts) {
    const name = nameIn(part, bindings);
    if (name === keys.partition && part.kind === '=') {
      value = boundValue(part.right, bindings)?.S;
    } else if (name === keys.sort) range = rangeOf(part, bindings);
    else
      throw new RefusedRequest('ValidationException', `Query key condition not supported: ${text}`);
  }
  if (value === undefined) {
    throw new RefusedRequest(
      'ValidationException',
      `Query condition missed key schema element: ${keys.partition}`,
    );
  }
  return { value, range };
}

function nameIn(part: Condition, bindings: Bindings): unknown {
  const operand = part.kind === 'function' ? { path: part.path } : firstOperand(part);
  return operand && 'path' in operand ? pathOf(operand.path, bindings)[0] : undefined;
}

function firstOperand(part: Condition): Operand | undefined {
  if ('left' in part) return part.left;
  return 'of' in part ? part.of : undefined;
}

function boundValue(operand: object, { values }: Bindings): AttributeValue | undefined {
  return 'value' in operand ? values[String(operand.value)] : undefined;
}

function rangeOf(part: Condition, bindings: Bindings): NonNullable<Asked['range']> {
  const limit = (operand: object) => sortOf(boundValue(operand, bindings)) ?? '';
  if (part.kind === 'function' && part.name === 'begins_with' && part.argument) {
    const prefix = String(limit(part.argument));
    return (sort) => {
      if (String(sort).startsWith(prefix)) return 'within';
      return orderOfSort(sort, prefix) < 0 ? 'before' : 'after';
    };
  }
  if (part.kind === 'between') return within(limit(part.from), limit(part.to), true, true);
  if (!('right' in part) || part.kind === '<>') {
    throw new RefusedRequest('ValidationException', 'Query key condition not supported');
  }
  const at = limit(part.right);
  if (part.kind === '=') return within(at, at, true, true);
  const isOpen = part.kind === '<' || part.kind === '>';
  return part.kind.startsWith('<')
    ? within(undefined, at, true, !isOpen)
    : within(at, undefined, !isOpen, true);
}

function within(
  from: SortValue | undefined,
  to: SortValue | undefined,
  includesFrom: boolean,
  includesTo: boolean,
): NonNullable<Asked['range']> {
  return (sort) => {
    const below = from === undefined ? 1 : orderOfSort(sort, from);
    if (below < 0 || (below === 0 && !includesFrom)) return 'before';
    const above = to === undefined ? -1 : orderOfSort(sort, to);
    return above > 0 || (above === 0 && !includesTo) ? 'after' : 'within';
  };
}

function spanOf({ range }: Asked, input: Input, keys: Keys): Span {
  const isForward = input.ScanIndexForward !== false;
  const { ExclusiveStartKey: start } = input;
  const from = start && {
    sort: sortOf(start[keys.sort]) ?? '',
    key: keyOf(String(start.pk?.S), String(start.sk?.S)),
  };
  const isPast = (entry: Entry) => {
    if (!from) return false;
    const order = orderOfEntries(entry, from);
    return isForward ? order <= 0 : order >= 0;
  };
  return {
    isForward,
    isBefore: (entry) => range?.(entry.sort) === 'before' || (isForward && isPast(entry)),
    isAfter: (entry) => range?.(entry.sort) === 'after' || (!isForward && isPast(entry)),
  };
}

function startKeyOf(entry: Entry, index: IndexDefinition | undefined): StoredItem {
  const item = entry.item();
  const names = ['pk', 'sk', ...(index ? [index.partition, index.sort] : [])];
  return Object.fromEntries(names.map((name) => [name, item[name] ?? {}]));
}

function shown(
  entry: Entry,
  {
    input: { ProjectionExpression: wanted },
    index,
    bindings,
  }: { input: Input; index: IndexDefinition | undefined; bindings: Bindings },
): string {
  if (index?.projection === 'KEYS_ONLY') return JSON.stringify(startKeyOf(entry, index));
  return wanted === undefined
    ? entry.text()
    : JSON.stringify(projected(entry.item(), wanted, bindings));
}
