// Queries of a table or of an index.
import type { AttributeValue } from './attribute-values.ts';
import { type Condition, type Operand, parseCondition } from './conditions.ts';
import { pageOf } from './page.ts';
import { type Bindings, pathOf } from './paths.ts';
import { RefusedRequest } from './refused-request.ts';
import { type Answer, type Input, readUnits } from './request-parts.ts';
import { keyOf, placeOf, type SimulatedTable, sortOf } from './simulated-table.ts';
import {
  type Entry,
  orderOfEntries,
  orderOfSort,
  type SortValue,
  type Span,
} from './sorted-entries.ts';

/** @throws RefusedRequest */
export function query(table: SimulatedTable, input: Input, bindings: Bindings): Answer {
  const index = indexOf(table, input);
  const keys = { partition: index?.partition ?? 'pk', sort: index?.sort ?? 'sk' };
  const asked = keyCondition(input, keys, bindings);
  const entries = table.entries(index?.name, asked.value, spanOf(asked, input, keys));
  const { text, readBytes } = pageOf(entries, input, { index, bindings });
  const place = placeOf(index?.name, asked.value);
  const units = readUnits(readBytes, input.ConsistentRead);
  return { text, readBytes, reads: [{ place, units }], writes: [] };
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
