// Maps whose keys are names that others chose, made storable: any string may be a name, but DynamoDB's
// marshaller and plain objects fail for some (constructor, __proto__, the empty one).

/** Stands before every name, so that no key is a word of JavaScript's own. */
const mark = ':';

/** The map as it is stored. Halves of an emoji, which UTF-8 can't carry, become U+FFFD. */
export function toNameKeys<Value>(map: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(map).map(([name, value]) => [`${mark}${name.toWellFormed()}`, value]),
  );
}

/** The map as it was; what was stored before keys were marked is read as it is. */
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
