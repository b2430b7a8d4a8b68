// The claims of the polling bench.
import * as z from 'zod';
import { numeral, program } from '../program.ts';

const rowSchema = z.object({
  policy: z.string(),
  calls: z.number(),
  p50: z.number(),
  p95: z.number(),
  p99: z.number(),
  missed: z.number(),
});
type Row = z.infer<typeof rowSchema>;

const delays = ({ p50, p95, p99 }: Row): string =>
  `${[p50, p95, p99].map((minutes) => numeral(minutes, 1)).join(' / ')} min`;

function rowOf(rows: readonly Row[], policy: RegExp): Row {
  const row = rows.find((one) => policy.test(one.policy));
  if (!row) throw new Error(`the polling bench printed no row of ${policy}`);
  return row;
}

export const pollingProgram = program({
  name: 'polling',
  run: 'node test/proof/bench/polling.ts',
  minutes: 7,
  schema: z.object({
    simulated: z.array(rowSchema),
    dispatcher: z.array(z.object({ callsPerMinute: z.number(), medianRunMs: z.number() })),
  }),
  claims: ({ simulated, dispatcher }) => {
    const capped = rowOf(simulated, /^Getin, \d+ pulls/);
    const free = rowOf(simulated, /^Getin, no cap/);
    const every = rowOf(simulated, /^every event each 5 min$/);
    const everyCapped = rowOf(simulated, /^every event each 5 min, \d+/);
    const largest = dispatcher.at(-1);
    return [
      {
        figure: 'crossings missed, of refreshes that were seen, with and without a cap',
        measured: `${capped.missed} and ${free.missed}`,
        asked: '0',
        peer: `every event each 5 min: ${every.missed}`,
      },
      {
        figure: 'refresh to alert, no cap: p50 / p95 / p99',
        measured: delays(free),
        peer: `every event each 5 min: ${delays(every)}`,
      },
      {
        figure: 'refresh to alert, capped at one to three pulls an event and day: p50 / p95 / p99',
        measured: delays(capped),
        peer: `every event each 5 min until the cap: ${delays(everyCapped)}`,
      },
      {
        figure: 'calls to the marketplace, no cap',
        measured: numeral(free.calls),
        peer: `every event each 5 min: ${numeral(every.calls)}`,
      },
      {
        figure: 'one run of the dispatcher over 100,000 feeds, table calls apart',
        measured: `${numeral(largest?.medianRunMs ?? Number.NaN)} ms`,
      },
    ];
  },
});
