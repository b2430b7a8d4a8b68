// Update expressions: parsed once for each text, and applied to a copy of an item.
import {
  type AttributeValue,
  type Path,
  type StoredItem,
  setAttribute,
  typeOf,
  valueAt,
} from './attribute-values.ts';
import { ExpressionReader, onceForEachText } from './expression-reader.ts';
import { type Bindings, type PathNames, pathOf, readPathNames } from './paths.ts';
import { RefusedRequest, refuse } from './refused-request.ts';

type Term =
  | { kind: 'value'; name: string }
  | { kind: 'path'; path: PathNames }
  | { kind: 'if_not_exists'; path: PathNames; otherwise: Term }
  | { kind: 'list_append' | '+' | '-'; left: Term; right: Term };

type Action =
  | { kind: 'set'; path: PathNames; term: Term }
  | { kind: 'remove'; path: PathNames }
  | { kind: 'add' | 'delete'; path: PathNames; value: string };

/** @throws RefusedRequest */
const parseUpdate = onceForEachText((text): Action[] => {
  const reader = new ExpressionReader(text);
  const actions: Action[] = [];
  while (!reader.isOver) {
    const section = reader.next().toUpperCase();
    do {
      actions.push(readAction(section, reader));
    } while (reader.take(','));
  }
  return actions;
});

function readAction(section: string, reader: ExpressionReader): Action {
  const path = readPathNames(reader);
  if (section === 'REMOVE') return { kind: 'remove', path };
  if (section === 'ADD') return { kind: 'add', path, value: reader.next() };
  if (section === 'DELETE') return { kind: 'delete', path, value: reader.next() };
  if (section !== 'SET') throw reader.fault();
  reader.expect('=');
  return { kind: 'set', path, term: readSum(reader) };
}

function readSum(reader: ExpressionReader): Term {
  const left = readTerm(reader);
  for (const kind of ['+', '-'] as const) {
    if (reader.take(kind)) return { kind, left, right: readTerm(reader) };
  }
  return left;
}

function readTerm(reader: ExpressionReader): Term {
  if (reader.peek().startsWith(':')) return { kind: 'value', name: reader.next() };
  if (reader.take('(')) {
    const inner = readSum(reader);
    reader.expect(')');
    return inner;
  }
  const name = reader.peek();
  if (reader.peek(1) !== '(') return { kind: 'path', path: readPathNames(reader) };
  reader.next();
  reader.expect('(');
  if (name === 'if_not_exists') {
    const path = readPathNames(reader);
    reader.expect(',');
    const otherwise = readTerm(reader);
    reader.expect(')');
    return { kind: 'if_not_exists', path, otherwise };
  }
  if (name !== 'list_append') throw reader.fault();
  const left = readTerm(reader);
  reader.expect(',');
  const right = readTerm(reader);
  reader.expect(')');
  return { kind: 'list_append', left, right };
}

/** An update with its placeholders' meanings, and the places that it names. @throws RefusedRequest */
export function updateOf(text: string, bindings: Bindings) {
  const actions = parseUpdate(text).map((action) => ({
    action,
    path: pathOf(action.path, bindings),
  }));
  const paths = actions.map(({ path }) => path);
  refuseOverlap(paths);
  return {
    paths,
    /** The given item is unchanged. @throws RefusedRequest */
    appliedTo(before: StoredItem): StoredItem {
      const after = { ...before };
      // Every value is computed from the item as it was.
      const steps = actions.map(({ action, path }) => ({
        path,
        change: changeOf(before, { action, path }, bindings),
      }));
      for (const { path, change } of steps) {
        const [name] = path;
        const held = path.length > 1 && valueAt(after, path.slice(0, 1));
        if (held) setAttribute(after, String(name), structuredClone(held));
        write(after, path, change);
      }
      return after;
    },
  };
}

/** No action may name the place of another or one inside it, or take for a list what another takes for a map. */
function refuseOverlap(paths: readonly Path[]): void {
  const meet = (one: Path, other: Path) => {
    const at = one.findIndex((step, index) => other[index] !== step);
    return at < 0 || at >= other.length || typeof one[at] !== typeof other[at];
  };
  if (paths.some((one, at) => paths.slice(at + 1).some((other) => meet(one, other)))) {
    refuse('Two document paths overlap with each other');
  }
}

/** The new value of a place; undefined removes it. */
function changeOf(
  before: StoredItem,
  { action, path }: { action: Action; path: Path },
  bindings: Bindings,
): AttributeValue | undefined {
  if (action.kind === 'remove') return undefined;
  if (action.kind === 'set') return termIn(before, action.term, bindings);
  const old = valueAt(before, path);
  const given = bindings.values[action.value] ?? {};
  if (old && typeOf(old) !== typeOf(given)) throw wrongType();
  if (given.N !== undefined) {
    return { N: sumOf(Number(old?.N ?? 0), Number(given.N)) };
  }
  const type = given.SS ? 'SS' : 'NS';
  const [had, named] = [old?.[type] ?? [], given[type] ?? []];
  const left = had.filter((each) => !named.includes(each));
  const set = action.kind === 'add' ? [...left, ...named] : left;
  return set.length === 0 ? undefined : { [type]: set };
}

function termIn(item: StoredItem, term: Term, bindings: Bindings): AttributeValue {
  switch (term.kind) {
    case 'value':
      return bindings.values[term.name] ?? refuse(`the value ${term.name} is not given`);
    case 'path':
      return (
        valueAt(item, pathOf(term.path, bindings)) ??
        refuse('The provided expression refers to an attribute that does not exist in the item')
      );
    case 'if_not_exists': {
      const found = valueAt(item, pathOf(term.path, bindings));
      return found ?? termIn(item, term.otherwise, bindings);
    }
    case 'list_append': {
      const [left, right] = [term.left, term.right].map((each) => termIn(item, each, bindings));
      if (!left?.L || !right?.L) throw wrongType();
      return { L: [...left.L, ...right.L] };
    }
    default: {
      const [left, right] = [term.left, term.right].map((each) => termIn(item, each, bindings).N);
      if (left === undefined || right === undefined) throw wrongType();
      const sign = term.kind === '+' ? 1 : -1;
      return { N: sumOf(Number(left), sign * Number(right)) };
    }
  }
}

/** A sum as DynamoDB's decimal numbers give it: 0.1 and 0.2 are 0.3. */
function sumOf(a: number, b: number): string {
  const sum = a + b;
  return String(Number.isInteger(a) && Number.isInteger(b) ? sum : Number(sum.toPrecision(15)));
}

function write(item: StoredItem, path: Path, value: AttributeValue | undefined): void {
  const last = path.at(-1);
  const parent = path.length === 1 ? { M: item } : valueAt(item, path.slice(0, -1));
  const holder = typeof last === 'number' ? parent?.L : parent?.M;
  if (!holder || last === undefined) {
    refuse('The document path provided in the update expression is invalid for update');
  }
  if (Array.isArray(holder)) {
    if (value === undefined) holder.splice(Number(last), 1);
    else holder[Math.min(Number(last), holder.length)] = value;
  } else if (value === undefined) delete holder[last];
  else setAttribute(holder, String(last), value);
}

function wrongType(): RefusedRequest {
  const message = 'An operand in the update expression has an incorrect data type';
  return new RefusedRequest('ValidationException', message);
}
