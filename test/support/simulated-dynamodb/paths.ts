// Paths in expressions: names, placeholders of names, and places in lists.
import {
  type AttributeValue,
  type Path,
  type StoredItem,
  setAttribute,
  valueAt,
} from './attribute-values.ts';
import { ExpressionReader, onceForEachText } from './expression-reader.ts';
import { RefusedRequest, refuse } from './refused-request.ts';

/** The steps as written, with placeholders. */
export type PathNames = readonly (string | number)[];

/** What a request's placeholders stand for. */
export interface Bindings {
  names: Readonly<Record<string, string>>;
  values: Readonly<Record<string, AttributeValue>>;
}

export function readPathNames(reader: ExpressionReader): PathNames {
  const steps: (string | number)[] = [readName(reader)];
  for (;;) {
    if (reader.take('.')) steps.push(readName(reader));
    else if (reader.take('[')) {
      steps.push(Number(reader.next()));
      reader.expect(']');
    } else return steps;
  }
}

function readName(reader: ExpressionReader): string {
  const name = reader.next();
  if (!/^[#A-Za-z_]/.test(name)) throw reader.fault();
  return name;
}

/** @throws RefusedRequest if a placeholder stands for nothing. */
export function pathOf(steps: PathNames, { names }: Bindings): Path {
  return steps.map((step) => {
    if (typeof step === 'number' || !step.startsWith('#')) return step;
    const name = names[step];
    if (name === undefined) {
      throw new RefusedRequest(
        'ValidationException',
        `An expression attribute name used in the document path is not defined; attribute name: ${step}`,
      );
    }
    return name;
  });
}

const parseProjection = onceForEachText((text): readonly PathNames[] => {
  const reader = new ExpressionReader(text);
  const paths = [readPathNames(reader)];
  while (reader.take(',')) paths.push(readPathNames(reader));
  if (!reader.isOver) throw reader.fault();
  return paths;
});

/** The attributes that a projection names, also inside maps; the product asks for no place of a list. */
export function projected(item: StoredItem, expression: string, bindings: Bindings): StoredItem {
  return partOf(
    item,
    parseProjection(expression).map((names) => pathOf(names, bindings)),
  );
}

/** The named parts of an item that are there, in the maps that hold them. @throws RefusedRequest */
export function partOf(item: StoredItem, paths: readonly Path[]): StoredItem {
  const part: StoredItem = {};
  for (const path of paths) {
    const value = valueAt(item, path);
    if (value) place(part, path, value);
  }
  return part;
}

function place(part: StoredItem, path: Path, value: AttributeValue): void {
  let holder = part;
  for (const step of path.slice(0, -1)) {
    const inner = valueAt(holder, [step])?.M ?? {};
    setAttribute(holder, nameOf(step), { M: inner });
    holder = inner;
  }
  setAttribute(holder, nameOf(path.at(-1)), value);
}

function nameOf(step: string | number | undefined): string {
  if (typeof step === 'string') return step;
  refuse('A place of a list is not simulated here');
}
