// How single attributes of stored items are parsed: what counts as readable, and the default for a damaged value.

export type RawItem = Readonly<Record<string, unknown>>;

/** How an attribute is parsed. */
export interface AttributeReading {
  /** Checks what the entity's schema doesn't check, and attributes that the item's key also contains. */
  isReadable?: (value: unknown, raw: RawItem) => boolean;
  /** Whether an optional attribute must be there, given the others: then its absence is damage. */
  isExpected?: (raw: RawItem) => boolean;
  /** The default for a damaged value; it may return undefined. Without it, the whole item is unreadable. */
  otherwise?: (raw: RawItem) => unknown;
}

/** An attribute whose default is undefined. */
export const absent: AttributeReading = { otherwise: () => undefined };

/** An attribute with a default for a damaged value. */
export function orElse(value: unknown, isReadable?: (value: unknown) => boolean): AttributeReading {
  return { otherwise: () => value, ...(isReadable && { isReadable }) };
}

/** An attribute that the item's key also contains: if they differ, the key is right. */
export function namedByKey(read: (raw: RawItem) => unknown): AttributeReading {
  return { isReadable: (value, raw) => value === read(raw), otherwise: read };
}

/** An id that the item's partition key also contains, after a prefix. */
export function fromKey(prefix: string): AttributeReading {
  return namedByKey(({ pk }) => String(pk).slice(prefix.length));
}

/** The event id of an item in an event's partition. */
export const eventFromKey = namedByKey(({ pk }) => Number(String(pk).split('#')[1]));

/** No stored time is after the year 2200: a larger number is damaged. */
const latestTime = Date.UTC(2200, 0);

/** Whether a stored number can be a time, epoch milliseconds. */
export function isStoredTime(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= latestTime;
}

/** An optional time, epoch milliseconds. */
export const optionalTime: AttributeReading = { ...absent, isReadable: isStoredTime };

/** A required attribute that the schema doesn't check. */
export function needed(isReadable: NonNullable<AttributeReading['isReadable']>): AttributeReading {
  return { isReadable };
}
