// The operator's side of the marketplace: submits observations, and reads the marketplace's own
// records, its snapshots and its billing ledger, from its database.
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import type { Observations } from '#marketplace/ingest/observations.ts';

const againMs = 50;
const mostTries = 400;

/** Submits observations until the marketplace accepts them; known observations change nothing. */
export async function handIn(
  marketplace: () => { url: string; operatorKey: string },
  observations: Observations,
): Promise<void> {
  let refusal = '';
  for (let tries = 0; tries < mostTries; tries += 1) {
    const { url, operatorKey } = marketplace();
    try {
      const answer = await fetch(`${url}/operator/observations`, {
        method: 'POST',
        headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(observations),
      });
      const text = await answer.text();
      if (answer.ok) return;
      refusal = `${answer.status} ${text}`;
      if (answer.status < 500) break;
    } catch (error) {
      refusal = String(error);
    }
    await wait(againMs);
  }
  throw new Error(`The marketplace did not take the observations: ${refusal}`);
}

const prices = {
  get_in: z.number(),
  get_in_qty2plus: z.number(),
  avg_price: z.number(),
  median_price: z.number(),
};
const recordedSchema = z.object({
  timestamp: z.string(),
  total_listings_active: z.number(),
  listing_fill_rate: z.number(),
  ...prices,
  zones: z.array(z.object({ zone_name: z.string(), ...prices })),
});

/** A snapshot in the marketplace's database. */
export type RecordedSnapshot = z.infer<typeof recordedSchema>;

/** A charge in the marketplace's ledger. */
export interface Charge {
  eventId: number;
  kind: string;
  /** Epoch milliseconds. */
  at: number;
  pulls: number;
}

export interface MarketplaceRecords {
  /** By event, in time order. */
  snapshots: Map<number, RecordedSnapshot[]>;
  charges: Charge[];
}

const snapshotRow = z.object({ event_id: z.number(), body: z.string() });
const chargeRow = z.object({
  event_id: z.number().nullable(),
  kind: z.string(),
  at: z.number(),
  pulls: z.number(),
});

export function readRecords(dbFile: string): MarketplaceRecords {
  const database = new DatabaseSync(dbFile, { readOnly: true });
  try {
    const rows = database
      .prepare('SELECT event_id, body FROM snapshots ORDER BY event_id, at')
      .all();
    const snapshots = Map.groupBy(
      rows.map((row) => snapshotRow.parse(row)),
      ({ event_id }) => event_id,
    );
    const charges = database
      .prepare('SELECT event_id, kind, at, pulls FROM ledger WHERE kind IS NOT NULL ORDER BY id')
      .all();
    return {
      snapshots: new Map(
        [...snapshots].map(([eventId, held]) => [
          eventId,
          held.map(({ body }) => recordedSchema.parse(JSON.parse(body))),
        ]),
      ),
      charges: charges
        .map((row) => chargeRow.parse(row))
        .map(({ event_id, ...charge }) => ({ ...charge, eventId: event_id ?? 0 })),
    };
  } finally {
    database.close();
  }
}
