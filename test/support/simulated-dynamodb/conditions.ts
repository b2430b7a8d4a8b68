// Conditions, filters and key conditions: parsed once for each text, and judged for an item.
import {
  type AttributeValue,
  areEqual,
  orderOf,
  type StoredItem,
  typeOf,
  valueAt,
} from './attribute-values.ts';
import { ExpressionReader, onceForEachText } from './expression-reader.ts';
import { type Bindings, type PathNames, pathOf, readPathNames } from './paths.ts';

export type Operand = { path: PathNames } | { value: string } | { sizeOf: PathNames };
export type Condition =
  | { kind: 'and' | 'or'; parts: Condition[] }
  | { kind: 'not'; part: Condition }
  | { kind: '=' | '<>' | '<' | '<=' | '>' | '>='; left: Operand; right: Operand }
  | { kind: 'between'; of: Operand; from: Operand; to: Operand }
  | { kind: 'in'; of: Operand; among: Operand[] }
  | { kind: 'function'; name: string; path: PathNames; argument?: Operand };

const functions = new Set([
  'attribute_exists',
  'attribute_not_exists',
  'attribute_type',
  'begins_with',
  'contains',
]);

/** @throws RefusedRequest */
export const parseCondition = onceForEachText((text): Condition => {
  const reader = new ExpressionReader(text);
  const parsed = readEither(reader);
  if (!reader.isOver) throw reader.fault();
  return parsed;
});

function readEither(reader: ExpressionReader): Condition {
  const parts = [readBoth(reader)];
  while (reader.take('OR')) parts.push(readBoth(reader));
  return oneOf('or', parts);
}

function readBoth(reader: ExpressionReader): Condition {
  const parts = [readOne(reader)];
  while (reader.take('AND')) parts.push(readOne(reader));
  return oneOf('and', parts);
}

function oneOf(kind: 'and' | 'or', parts: Condition[]): Condition {
  const [only] = parts;
  return only && parts.length === 1 ? only : { kind, parts };
}

function readOne(reader: ExpressionReader): Condition {
  if (reader.take('NOT')) return { kind: 'not', part: readOne(reader) };
  if (reader.take('(')) {
    const inner = readEither(reader);
    reader.expect(')');
    return inner;
  }
  if (functions.has(reader.peek()) && reader.peek(1) === '(') return readFunction(reader);
  const left = readOperand(reader);
  if (reader.take('BETWEEN')) {
    const from = readOperand(reader);
    reader.expect('AND');
    return { kind: 'between', of: left, from, to: readOperand(reader) };
  }
  if (reader.take('IN')) {
    reader.expect('(');
    const among = [readOperand(reader)];
    while (reader.take(',')) among.push(readOperand(reader));
    reader.expect(')');
    return { kind: 'in', of: left, among };
  }
  for (const kind of ['=', '<>', '<=', '>=', '<', '>'] as const) {
    if (reader.take(kind)) return { kind, left, right: readOperand(reader) };
  }
  throw reader.fault();
}

function readFunction(reader: ExpressionReader): Condition {
  const name = reader.next();
  reader.expect('(');
  const path = readPathNames(reader);
  const argument = reader.take(',') ? readOperand(reader) : undefined;
  reader.expect(')');
  return { kind: 'function', name, path, ...(argument && { argument }) };
}

function readOperand(reader: ExpressionReader): Operand {
  if (reader.peek().startsWith(':')) return { value: reader.next() };
  if (reader.peek() === 'size' && reader.peek(1) === '(') {
    reader.next();
    reader.expect('(');
    const sizeOf = readPathNames(reader);
    reader.expect(')');
    return { sizeOf };
  }
  return { path: readPathNames(reader) };
}

/** Whether an item, or no item, meets a condition. */
export function meets(item: StoredItem, condition: Condition, bindings: Bindings): boolean {
  const read = (operand: Operand) => operandIn(item, operand, bindings);
  switch (condition.kind) {
    case 'and':
      return condition.parts.every((part) => meets(item, part, bindings));
    case 'or':
      return condition.parts.some((part) => meets(item, part, bindings));
    case 'not':
      return !meets(item, condition.part, bindings);
    case 'between': {
      const [of, from, to] = [read(condition.of), read(condition.from), read(condition.to)];
      return isOrdered(of, from, (order) => order >= 0) && isOrdered(of, to, (order) => order <= 0);
    }
    case 'in':
      return condition.among.some((each) => isSame(read(condition.of), read(each)));
    case 'function':
      return meetsFunction(item, condition, bindings);
    case '=':
      return isSame(read(condition.left), read(condition.right));
    case '<>':
      return !isSame(read(condition.left), read(condition.right));
    default:
      return isOrdered(read(condition.left), read(condition.right), ordered[condition.kind]);
  }
}

const ordered = {
  '<': (order: number) => order < 0,
  '<=': (order: number) => order <= 0,
  '>': (order: number) => order > 0,
  '>=': (order: number) => order >= 0,
} as const;

type Found = AttributeValue | undefined;

function isSame(a: Found, b: Found): boolean {
  return a !== undefined && b !== undefined && areEqual(a, b);
}

function isOrdered(a: Found, b: Found, holds: (order: number) => boolean): boolean {
  const order = a && b && orderOf(a, b);
  return order !== undefined && holds(order);
}

function operandIn(item: StoredItem, operand: Operand, bindings: Bindings): Found {
  if ('value' in operand) return bindings.values[operand.value];
  if ('path' in operand) return valueAt(item, pathOf(operand.path, bindings));
  const value = valueAt(item, pathOf(operand.sizeOf, bindings));
  if (value === undefined) return undefined;
  const { S, L, M, SS, NS, BS } = value;
  const length = S?.length ?? L?.length ?? (M && Object.keys(M).length);
  return { N: String(length ?? (SS ?? NS ?? BS)?.length ?? 0) };
}

function meetsFunction(
  item: StoredItem,
  { name, path, argument }: Extract<Condition, { kind: 'function' }>,
  bindings: Bindings,
): boolean {
  const value = valueAt(item, pathOf(path, bindings));
  if (name === 'attribute_exists') return value !== undefined;
  if (name === 'attribute_not_exists') return value === undefined;
  const wanted = argument && operandIn(item, argument, bindings);
  if (value === undefined || wanted === undefined) return false;
  if (name === 'attribute_type') return typeOf(value) === wanted.S;
  if (name === 'begins_with') return value.S?.startsWith(wanted.S ?? '\u0000') ?? false;
  if (value.S !== undefined) return wanted.S !== undefined && value.S.includes(wanted.S);
  if (value.L !== undefined) return value.L.some((each) => areEqual(each, wanted));
  return (value.SS ?? value.NS ?? []).includes(wanted.S ?? wanted.N ?? '');
}
