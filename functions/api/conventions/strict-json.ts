// Refuses JSON that has more than one reading: a key twice in an object, deeper nesting than any operation
// needs, a number or text that a table can't store, and `__proto__`, which most code loses.

import { leastNumber } from '#shared/dynamo/tiny-numbers.ts';
import { type Fault, pointerTo } from '../faults.ts';
import { findJsonFault } from './json-fault.ts';

/** A rule with conditions three deep needs 11 levels; no operation needs more than this. */
export const mostNested = 20;

export type JsonReading =
  | { ok: true; value: unknown }
  | { ok: false; detail: string; errors?: readonly Fault[] };

/** Parses a body, or says what is wrong with it. */
export function readStrictJson(text: string): JsonReading {
  const fault = findFault(text);
  if (fault === 'too_deep') {
    return { ok: false, detail: `The body nests more than ${mostNested} levels deep` };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, detail: invalid(text) };
  }
  const unkept = findUnkept(value, []);
  if (unkept) return { ok: false, detail: `The body has ${unkept.detail}`, errors: [unkept] };
  if (fault === undefined) return { ok: true, value };
  return { ok: false, detail: `The body has the key ${fault.twice} twice in the same object` };
}

function invalid(text: string): string {
  const offset = findJsonFault(text) ?? 0;
  if (offset === text.length) return 'The body is not valid JSON: it ends too early';
  const lines = text.slice(0, offset).split('\n');
  const column = (lines.at(-1)?.length ?? 0) + 1;
  return `The body is not valid JSON: look at line ${lines.length}, column ${column}`;
}

/** DynamoDB stores numbers up to 1e126; no real value of ours is near it. */
const mostNumber = 1e100;

/** The first value that can't be stored unchanged, and where it is. */
function findUnkept(value: unknown, path: readonly string[]): Fault | undefined {
  const detail = whyUnkept(path.at(-1) ?? '', value);
  if (detail !== undefined) return { pointer: pointerTo(path).toWellFormed(), detail };
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const found = findUnkept(inner, [...path, key]);
    if (found) return found;
  }
  return undefined;
}

/** `JSON.parse` makes `__proto__` an own property; code that copies the object may set its prototype. */
function whyUnkept(key: string, value: unknown): string | undefined {
  if (key === '__proto__') return 'a key "__proto__", which can\'t be stored; rename it';
  if (!key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed())) {
    return 'text that is not valid Unicode';
  }
  if (typeof value !== 'number' || value === 0) return undefined;
  const size = Math.abs(value);
  if (size >= leastNumber && size <= mostNumber) return undefined;
  return 'a number that is too large or too near to 0 to be stored exactly';
}

/**
 * Matches a string, a bracket or a comma; a scan for repeated keys needs nothing else. A string that never ends
 * matches too, so that its rest is scanned once.
 */
const token = /"(?:[^"\\]|\\.)*"?|[[\]{},]/gs;

/** For text that is not JSON the result has no meaning; JSON.parse refuses it anyway. */
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
