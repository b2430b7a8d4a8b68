// What one partition takes in a second: 1,000 write units and 3,000 read units. A request that finds the second used
// up is refused, as DynamoDB does; the SDK then tries again.
import { RefusedRequest } from './refused-request.ts';

const mostUnits = { write: 1_000, read: 3_000 } as const;

export class Throughput {
  readonly #used = new Map<string, { second: number; units: number }>();
  /** Refused requests so far. */
  throttled = 0;

  /** Takes units of all these partitions, or of none. @throws RefusedRequest */
  take(kind: keyof typeof mostUnits, parts: { place: string; units: number }[], now: number): void {
    const second = Math.floor(now / 1_000);
    const rows = parts.map(({ place, units }) => ({
      row: this.#rowOf(kind, place, second),
      units,
    }));
    // A request that begins within the limit may end above it, because a page is read as a whole.
    if (rows.some(({ row }) => row.units >= mostUnits[kind])) {
      this.throttled += 1;
      throw new RefusedRequest(
        'ProvisionedThroughputExceededException',
        'The level of configured provisioned throughput for the table was exceeded',
      );
    }
    for (const { row, units } of rows) row.units += units;
  }

  #rowOf(kind: string, place: string, second: number): { second: number; units: number } {
    const key = `${kind} ${place}`;
    const known = this.#used.get(key);
    if (known?.second === second) return known;
    const row = { second, units: 0 };
    this.#used.set(key, row);
    return row;
  }
}
