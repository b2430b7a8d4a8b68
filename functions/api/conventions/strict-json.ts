// JSON that can be read one way only: no key twice in an object, no more nesting than anything here
// needs, and no `__proto__`, which is dropped. JSON.parse does the reading; this looks at what it hides.

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
    const value: unknown = JSON.parse(text, withoutPrototype);
    if (fault === undefined) return { ok: true, value };
    return { ok: false, detail: `The body has the key ${fault.twice} twice in one object` };
  } catch {
    return { ok: false, detail: 'The body is not valid JSON' };
  }
}

/** `JSON.parse` makes `__proto__` a property of its own; nobody may copy it into a prototype later. */
function withoutPrototype(this: unknown, key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value;
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
