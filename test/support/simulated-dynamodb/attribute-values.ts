// Items in DynamoDB's own JSON: their types, sizes, order, and the places inside them that paths name.

/** One value: an object with one of DynamoDB's type names. */
export interface AttributeValue {
  S?: string;
  N?: string;
  B?: string;
  BOOL?: boolean;
  NULL?: boolean;
  M?: Record<string, AttributeValue>;
  L?: AttributeValue[];
  SS?: string[];
  NS?: string[];
  BS?: string[];
}

export type StoredItem = Record<string, AttributeValue>;

/** Gives an item or a map an attribute, whatever its name. */
export function setAttribute(item: StoredItem, name: string, value: AttributeValue): void {
  const own = { value, configurable: true, enumerable: true, writable: true };
  if (name === '__proto__') Object.defineProperty(item, name, own);
  else item[name] = value;
}
/** Names of attributes and places in lists. */
export type Path = readonly (string | number)[];

/** The name of a value's type, such as `S`. */
export function typeOf(value: AttributeValue): keyof AttributeValue {
  return Object.keys(value)[0] as keyof AttributeValue;
}

/** The bytes that DynamoDB counts for an item: names and values. */
export function bytesOf(item: StoredItem): number {
  let bytes = 0;
  for (const name in item) {
    const value = item[name];
    if (value) bytes += Buffer.byteLength(name) + valueBytes(value);
  }
  return bytes;
}

function valueBytes(value: AttributeValue): number {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.N !== undefined) return numberBytes(value.N);
  if (value.B !== undefined) return (value.B.length * 3) / 4;
  if (value.M !== undefined) return 3 + Object.keys(value.M).length + bytesOf(value.M);
  if (value.L !== undefined) return value.L.reduce((sum, each) => sum + 1 + valueBytes(each), 3);
  const set = value.SS ?? value.NS ?? value.BS;
  return set ? set.reduce((sum, each) => sum + Buffer.byteLength(each), 0) : 1;
}

/** Two digits are one byte, and there is one more for the exponent. */
function numberBytes(text: string): number {
  const digits = text.replace(/[^\d]/g, '').replace(/^0+|0+$/g, '').length;
  return 1 + Math.ceil(digits / 2) + (text.startsWith('-') ? 1 : 0);
}

/** The value at a path; undefined if there is none. */
export function valueAt(item: StoredItem, path: Path): AttributeValue | undefined {
  let found: AttributeValue | undefined = { M: item };
  for (const step of path) {
    if (typeof step === 'number') found = found?.L?.[step];
    else found = found?.M && Object.hasOwn(found.M, step) ? found.M[step] : undefined;
    if (found === undefined) return undefined;
  }
  return found;
}

/** Negative, 0 or positive; undefined if the two are not of one type that has an order. */
export function orderOf(a: AttributeValue, b: AttributeValue): number | undefined {
  if (a.N !== undefined && b.N !== undefined) return Number(a.N) - Number(b.N);
  if (a.S !== undefined && b.S !== undefined) return orderOfText(a.S, b.S);
  if (a.B !== undefined && b.B !== undefined) {
    return Buffer.compare(Buffer.from(a.B, 'base64'), Buffer.from(b.B, 'base64'));
  }
  return undefined;
}

/** By UTF-8 bytes, as DynamoDB sorts; JavaScript's order differs only beyond the basic plane. */
export function orderOfText(a: string, b: string): number {
  if (a === b) return 0;
  if (mayDiffer.test(a) && mayDiffer.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
}

/** Halves of surrogate pairs, and what JavaScript sorts after them. */
const mayDiffer = /[\ud800-\uffff]/;

/** Whether two values are the same, whatever the order of a set. */
export function areEqual(a: AttributeValue, b: AttributeValue): boolean {
  const type = typeOf(a);
  if (type !== typeOf(b)) return false;
  if (type === 'N') return Number(a.N) === Number(b.N);
  if (type === 'M') {
    const [left, right] = [a.M ?? {}, b.M ?? {}];
    const names = Object.keys(left);
    return (
      names.length === Object.keys(right).length &&
      names.every((name) => areBoth(left[name], right[name]))
    );
  }
  if (type === 'L') {
    const [left, right] = [a.L ?? [], b.L ?? []];
    return left.length === right.length && left.every((each, at) => areBoth(each, right[at]));
  }
  const sorted = (set: unknown) => (Array.isArray(set) ? set.toSorted() : set);
  return JSON.stringify(sorted(a[type])) === JSON.stringify(sorted(b[type]));
}

function areBoth(a: AttributeValue | undefined, b: AttributeValue | undefined): boolean {
  return a !== undefined && b !== undefined && areEqual(a, b);
}
