// Paths in expressions: names, placeholders of names, and places in lists.
import type { AttributeValue, Path, StoredItem } from './attribute-values.ts';
import type { ExpressionReader } from './expression-reader.ts';
import { RefusedRequest } from './refused-request.ts';

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

/** The attributes that a projection names; only whole attributes, as the product asks for. */
export function projected(item: StoredItem, expression: string, bindings: Bindings): StoredItem {
  const wanted = expression.split(',').map((each) => {
    const [name = ''] = pathOf([each.trim()], bindings);
    return String(name);
  });
  return Object.fromEntries(
    wanted.flatMap((name) => {
      const value = item[name];
      return value ? [[name, value] as const] : [];
    }),
  );
}
