// A date in a time zone as a moment, which Intl does not compute.

const minuteMs = 60_000;

/** How far the clocks of a zone are before UTC at a time, in milliseconds. */
export function offsetAt(at: number, zone: string): number {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
  });
  const parts = format.formatToParts(at).map(({ type, value }) => [type, Number(value)] as const);
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = Object.fromEntries(parts);
  const told = Date.UTC(year, month - 1, day, hour, minute);
  return told - Math.floor(at / minuteMs) * minuteMs;
}

/** The last second of a date, YYYY-MM-DD, in a zone; epoch milliseconds. */
export function endOfDate(date: string, zone: string): number {
  const wanted = Date.parse(`${date}T23:59:59Z`);
  const guess = wanted - offsetAt(wanted, zone);
  // The clocks may change between the guess and the end of the day.
  return wanted - offsetAt(guess, zone);
}
