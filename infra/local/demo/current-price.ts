/** Reads an event's latest prices from the marketplace with a separate account. */
import * as z from 'zod';

/** Upper bound of a walk's pages; the snapshots read until then are used. */
const maxPages = 50;

const pageSchema = z.object({
  data: z.array(
    z.object({
      timestamp: z.union([z.string(), z.number()]),
      get_in: z.number().nullable(),
      zones: z.array(z.object({ zone_name: z.string(), get_in: z.number().nullable() })),
    }),
  ),
  has_more: z.boolean(),
  next_cursor: z.string().nullish(),
});

export type PriceSnapshot = z.infer<typeof pageSchema>['data'][number];

export interface PriceSource {
  marketplace: string;
  key: string;
}

/** @returns the event's snapshots, newest first */
export async function latestPrices(
  { marketplace, key }: PriceSource,
  eventId: number,
): Promise<PriceSnapshot[]> {
  const snapshots: PriceSnapshot[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const query = new URLSearchParams({ limit: '200', ...(cursor && { starting_after: cursor }) });
    const response = await fetch(`${marketplace}/v1/events/${eventId}/stats?${query}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    if (!response.ok) throw new Error(`the marketplace answered ${response.status}`);
    const { data, has_more, next_cursor } = pageSchema.parse(await response.json());
    snapshots.push(...data);
    if (!has_more || !next_cursor) break;
    cursor = next_cursor;
  }
  return snapshots.toSorted((left, right) => timeOf(right) - timeOf(left));
}

function timeOf({ timestamp }: PriceSnapshot): number {
  return new Date(timestamp).getTime();
}
