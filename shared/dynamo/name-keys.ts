// Maps with arbitrary names as keys, in a storable form: any string may be a name, but DynamoDB's
// marshaller and plain objects fail for some (constructor, __proto__, the empty string).

/** Prefix of every name, so that no key is a built-in JavaScript property. */
const mark = ':';

/** The map in its stored form. Unpaired surrogates, which UTF-8 can't encode, become U+FFFD. */
export function toNameKeys<Value>(map: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(map).map(([name, value]) => [`${mark}${name.toWellFormed()}`, value]),
  );
}

/** The original map; maps stored before keys had the prefix are read unchanged. */
export function fromNameKeys<Value>(
  stored: Readonly<Record<string, Value>>,
): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(stored).map(([key, value]) => [
      key.startsWith(mark) ? key.slice(mark.length) : key,
      value,
    ]),
  );
}
