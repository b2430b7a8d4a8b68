// Finds where a text stops being JSON, so that its author can fix it: JSON.parse gives the position of some
// faults only. Returns no values from the text.

const token =
  /[ \t\r\n]*(?:([{}[\],:])|("(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/uy;

/** Which tokens may come next; `…OrEnd` also allows the end of the array or object just opened. */
type Expected = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'commaOrEnd';

/** @returns the offset of the first invalid character, or the text's length if it ends too early; undefined for JSON. */
export function findJsonFault(text: string): number | undefined {
  const open: string[] = [];
  let expected: Expected | undefined = 'value';
  let offset = 0;
  for (;;) {
    token.lastIndex = offset;
    const found = token.exec(text);
    if (!found) break;
    const [whole, mark, quoted] = found;
    const kind = mark ?? (quoted === undefined ? 'literal' : 'string');
    const next = follow(expected, kind, open);
    if (next === undefined) return offset + whole.search(/[^ \t\r\n]/);
    expected = next;
    offset = token.lastIndex;
  }
  const rest = text.slice(offset).search(/[^ \t\r\n]/);
  if (rest >= 0) return offset + rest;
  return expected === 'commaOrEnd' && open.length === 0 ? undefined : text.length;
}

/** @returns which tokens may follow this one, undefined if this token is not allowed here */
function follow(expected: Expected, kind: string, open: string[]): Expected | undefined {
  switch (expected) {
    case 'colon':
      return kind === ':' ? 'value' : undefined;
    case 'key':
    case 'keyOrEnd':
      if (kind === 'string') return 'colon';
      return kind === '}' && expected === 'keyOrEnd' ? close(open) : undefined;
    case 'value':
    case 'valueOrEnd':
      if (kind === 'string' || kind === 'literal') return 'commaOrEnd';
      if (kind === ']' && expected === 'valueOrEnd') return close(open);
      if (kind !== '{' && kind !== '[') return undefined;
      open.push(kind);
      return kind === '{' ? 'keyOrEnd' : 'valueOrEnd';
    case 'commaOrEnd': {
      const around = open.at(-1);
      if (kind === ',' && around) return around === '{' ? 'key' : 'value';
      return kind === (around === '{' ? '}' : ']') && around ? close(open) : undefined;
    }
  }
}

function close(open: string[]): Expected {
  open.pop();
  return 'commaOrEnd';
}
