// JSON that can be read one way only: no key twice in an object, no more nesting than anything here
// needs, no number or text that a table can't keep, and no `__proto__`, which most code loses.

import { findJsonFault } from './json-fault.ts';

/** A rule with conditions three deep needs 11 levels; what is deeper is not meant for us. */
export const mostNested = 20;

export type JsonReading = { ok: true; value: unknown } | { ok: false; detail: string };

/** Parses a body, or says what is wrong with it. */
export function readStrictJson(text: string): JsonReading {
  const fault = findFault(text);
  if (fault === 'too_deep') {
    return { ok: false, detail: `The body nests more than ${mostNested} levels deep` };
  }
  try {
    const value: unknown = JSON.parse(text, strictly);
    if (fault === undefined) return { ok: true, value };
    return { ok: false, detail: `The body has the key ${fault.twice} twice in one object` };
  } catch (error) {
    const detail = error instanceof UnreadableError ? error.message : invalid(text);
    return { ok: false, detail };
  }
}

function invalid(text: string): string {
  const offset = findJsonFault(text) ?? 0;
  if (offset === text.length) return 'The body is not valid JSON: it ends too early';
  const lines = text.slice(0, offset).split('\n');
  const column = (lines.at(-1)?.length ?? 0) + 1;
  return `The body is not valid JSON: look at line ${lines.length}, column ${column}`;
}

/** Thrown while reading, for a value that can't be kept as it is. */
class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
}

/** DynamoDB keeps numbers from 1e-130 to 1e126; nothing here is measured in the like. */
const [leastNumber, mostNumber] = [1e-100, 1e100];

/** `JSON.parse` makes `__proto__` a property of its own; code that copies it may set a prototype. */
function strictly(key: string, value: unknown): unknown {
  if (key === '__proto__') {
    throw new UnreadableError('The body has a key "__proto__", which can\'t be kept; rename it');
  }
  if (!key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed())) {
    throw new UnreadableError('The body has text that is not valid Unicode');
  }
  if (typeof value !== 'number' || value === 0) return value;
  const size = Math.abs(value);
  if (size >= leastNumber && size <= mostNumber) return value;
  throw new UnreadableError('The body has a number too large, or too near to 0, to be kept');
}

/** A string, a bracket or a comma; everything else is of no interest here. */
const token = /"(?:[^"\\]|\\.)*"|[[\]{},]/gs;

/** Text that is no JSON gives any answer: JSON.parse refuses it anyway. */
function findFault(text: string): 'too_deep' | { twice: string } | undefined {
  const open: (Set<string> | undefined)[] = [];
  let isKey = false;
  let twice: string | undefined;
  for (const [found] of text.matchAll(token)) {
    const keys = open.at(-1);
    if (found === '{' || found === '[') {
      open.push(found === '{' ? new Set() : undefined);
      isKey = found === '{';
      if (open.length > mostNested) return 'too_deep';
    } else if (found === '}' || found === ']') {
      open.pop();
      isKey = false;
    } else if (found === ',') {
      isKey = keys !== undefined;
    } else if (isKey && keys) {
      const key = unescaped(found);
      if (keys.has(key)) twice ??= found;
      keys.add(key);
      isKey = false;
    }
  }
  return twice === undefined ? undefined : { twice };
}

/** Two spellings of one key, `"a"` and `"\u0061"`, are one key. */
function unescaped(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}
