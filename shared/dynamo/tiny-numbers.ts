// Numbers that are too near to 0 for DynamoDB. Pure.

/**
 * DynamoDB refuses a write with a number nearer to 0 than 1e-130. A sum that fades, or the chance of a far price, gets
 * there after weeks; long before, it means nothing.
 */
export const leastNumber = 1e-100;

/** @returns the same value if it has no such number, as nearly all have none */
export function withoutTinyNumbers<Value>(value: Value): Value {
  return hasTiny(value) ? (replaced(value) as Value) : value;
}

function hasTiny(value: unknown): boolean {
  if (typeof value === 'number') return isTiny(value);
  if (Array.isArray(value)) return value.some(hasTiny);
  if (!isPlain(value)) return false;
  for (const name in value) if (hasTiny(value[name])) return true;
  return false;
}

function replaced(value: unknown): unknown {
  if (typeof value === 'number') return isTiny(value) ? 0 : value;
  if (Array.isArray(value)) return value.map(replaced);
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, replaced(inner)]));
}

function isTiny(value: number): boolean {
  return value !== 0 && Math.abs(value) < leastNumber;
}

/** Not bytes, a set or a number wrapper: those hold no number that we compute. */
function isPlain(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}
