// The pulls of a day by event as bytes: for each event, in the order of their ids, the distance from the id before and
// the pulls, both as varints of seven bits. Some three bytes an event, so that a day of 33,000 events fits into an item.

export class BadEventCountsError extends Error {
  override readonly name = 'BadEventCountsError';
}

/** @param counts whole pulls by event; ids and pulls are not negative. */
export function encodeEventCounts(counts: ReadonlyMap<number, number>): Uint8Array {
  const bytes: number[] = [];
  let before = 0;
  for (const [eventId, pulls] of [...counts].sort(([a], [b]) => a - b)) {
    write(bytes, eventId - before);
    write(bytes, pulls);
    before = eventId;
  }
  return Uint8Array.from(bytes);
}

function write(bytes: number[], value: number): void {
  let left = value;
  while (left >= 128) {
    bytes.push((left % 128) + 128);
    left = Math.floor(left / 128);
  }
  bytes.push(left);
}

/** Calls `visit` for each event. @throws BadEventCountsError if the bytes end within a number. */
export function eachEventCount(
  bytes: Uint8Array,
  visit: (eventId: number, pulls: number) => void,
): void {
  let at = 0;
  const read = () => {
    let [value, unit] = [0, 1];
    for (;;) {
      const byte = bytes[at];
      if (byte === undefined) throw new BadEventCountsError('the bytes end within a number');
      at += 1;
      value += (byte & 127) * unit;
      if (byte < 128) return value;
      unit *= 128;
    }
  };
  let eventId = 0;
  while (at < bytes.length) {
    eventId += read();
    visit(eventId, read());
  }
}
