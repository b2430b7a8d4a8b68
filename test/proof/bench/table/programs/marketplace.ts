// The claims of the benches of the data service and its client.
import * as z from 'zod';
import { numeral, program } from '../program.ts';

export const marketplaceProgram = program({
  name: 'marketplace',
  run: 'node test/proof/bench/marketplace.ts',
  minutes: 3,
  schema: z.object({
    account_per_second: z.number(),
    account_per_core_second: z.number(),
    listings_pages_per_second: z.number(),
    listings_pages_per_core_second: z.number(),
    stored_pages_per_second: z.number(),
    stored_pages_per_core_second: z.number(),
    walk_rows: z.number(),
    walk_peak_mb: z.number(),
    prism_account_per_core_second: z.number().nullable(),
    prism_listings_per_core_second: z.number().nullable(),
    prism_stored_per_core_second: z.number().nullable(),
  }),
  claims: (o) => {
    const prism = (rate: number | null, ours: number) =>
      rate === null
        ? 'Prism: not available'
        : `Prism: ${numeral(rate)} (${numeral(ours / rate, 1)} times)`;
    return [
      {
        figure: 'GET /v1/account, answers a core-second (a second)',
        measured: `${numeral(o.account_per_core_second)} (${numeral(o.account_per_second)})`,
        asked: '10,000',
        peer: prism(o.prism_account_per_core_second, o.account_per_core_second),
      },
      {
        figure: 'one page of 20 listings again and again, a core-second (a second)',
        measured: `${numeral(o.listings_pages_per_core_second)} (${numeral(o.listings_pages_per_second)})`,
        asked: '5 times Prism',
        peer: prism(o.prism_listings_per_core_second, o.listings_pages_per_core_second),
      },
      {
        figure: 'pages of 20 listings read from the store, a core-second (a second)',
        measured: `${numeral(o.stored_pages_per_core_second)} (${numeral(o.stored_pages_per_second)})`,
        peer: prism(o.prism_stored_per_core_second, o.stored_pages_per_core_second),
      },
      {
        figure: `peak memory of a walk over ${numeral(o.walk_rows)} listings`,
        measured: `${numeral(o.walk_peak_mb)} MB`,
      },
    ];
  },
});

export const clientProgram = program({
  name: 'client',
  run: 'node test/proof/bench/client.ts',
  minutes: 3,
  schema: z.object({
    rows: z.array(z.object({ page: z.string(), lanes: z.number(), 'vs fetch': z.number() })).min(1),
  }),
  claims: ({ rows }) => {
    const ratios = rows.map((row) => row['vs fetch']);
    return [
      {
        figure: 'calls a second of the client, in those of a bare loop',
        measured: `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`,
        peer: 'fetch, the same pages',
      },
    ];
  },
});

const summarySchema = z.object({
  daysLeft: z.string(),
  trimmedMean: z.number().nullable(),
  p10: z.number().nullable(),
  p90: z.number().nullable(),
});

export const historyProgram = program({
  name: 'history',
  run: 'node test/proof/bench/history.ts',
  minutes: 1,
  // If the recording is missing, the last line says "skipped" and the earlier figures stay.
  schema: z.object({ recorded: z.array(summarySchema), simulated: z.array(summarySchema) }),
  claims: ({ recorded, simulated }) =>
    ['3 to 7', '14 to 30'].map((daysLeft) => {
      const text = (rows: z.infer<typeof summarySchema>[]) => {
        const row = rows.find((each) => each.daysLeft === daysLeft);
        return `${row?.trimmedMean ?? '?'} % (${row?.p10 ?? '?'} to ${row?.p90 ?? '?'} %)`;
      };
      return {
        figure: `daily change of simulated prices ${daysLeft} days before the event (p10 to p90)`,
        measured: text(simulated),
        peer: `1,050 recorded games: ${text(recorded)}`,
      };
    }),
});
