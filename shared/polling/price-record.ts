// What an event's feed has seen since it began: the get-in price at first and at its lowest, and the pulls spent.
// It is kept on the feed, which a poll writes anyway, so that the recap after the event reads one item.
import type { Snapshot } from '#shared/rules/sources/sources.ts';

/** Prices in cents, times in epoch milliseconds. */
export interface PriceRecord {
  firstCents: number;
  firstAt: number;
  lowCents: number;
  lowAt: number;
  lastCents: number;
  lastAt: number;
}

/** The record with newly stored snapshots; those without a price change nothing. */
export function recordAfter(
  before: PriceRecord | undefined,
  snapshots: readonly Snapshot[],
): PriceRecord | undefined {
  return snapshots.reduce((record, snapshot) => {
    const cents = snapshot.feedKind === 'stats' ? snapshot.metrics.get_in : null;
    return cents === null || cents === undefined || cents <= 0
      ? record
      : withPrice(record, cents, snapshot.observedAt);
  }, before);
}

function withPrice(record: PriceRecord | undefined, cents: number, at: number): PriceRecord {
  if (!record) {
    return {
      ...{ firstCents: cents, firstAt: at },
      ...{ lowCents: cents, lowAt: at, lastCents: cents, lastAt: at },
    };
  }
  return {
    ...record,
    ...(at < record.firstAt && { firstCents: cents, firstAt: at }),
    ...(cents < record.lowCents && { lowCents: cents, lowAt: at }),
    ...(at >= record.lastAt && { lastCents: cents, lastAt: at }),
  };
}

const fields = ['firstCents', 'firstAt', 'lowCents', 'lowAt', 'lastCents', 'lastAt'] as const;

/** Whether a stored value can be used. */
export function isPriceRecord(value: unknown): value is PriceRecord {
  const record = Object(value) as Partial<PriceRecord>;
  return fields.every((field) => Number.isSafeInteger(record[field]));
}
