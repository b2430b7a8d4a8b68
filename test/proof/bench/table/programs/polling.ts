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

const tightSchema = z.object({
  market: z.string(),
  pulls: z.number(),
  mean: z.number(),
  inEqualGaps: z.number(),
  inTurn: z.number(),
});
type Tight = z.infer<typeof tightSchema>;

/** The aims, in equal gaps at the true rates, by market and pulls an event and day. */
const asked: Readonly<Record<string, number>> = {
  ...{ 'simulator 1': 1.1, 'simulator 3': 1.1, 'simulator 10': 1.1 },
  ...{ 'random walk 1': 1, 'random walk 3': 0.75, 'random walk 10': 0.4 },
  ...{ 'recorded prices (NBA 2014) 0.1': 1.3, 'recorded prices (NBA 2014) 0.3': 1.5 },
};

function tightClaim({ market, pulls, mean, inEqualGaps, inTurn }: Tight) {
  const most = asked[`${market} ${pulls}`];
  return {
    figure: `mean delay in equal gaps at the true rates: ${market}, ${pulls} pulls an event and day`,
    measured: `${numeral(inEqualGaps, 2)} (${numeral(mean, 1)} min)`,
    ...(most !== undefined && { asked: `at most ${numeral(most, 2)}` }),
    peer: `every event in turn: ${numeral(inTurn, 1)} min`,
  };
}

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
  minutes: 20,
  schema: z.object({
    tight: z.array(tightSchema),
    simulated: z.array(rowSchema),
    dispatcher: z.array(z.object({ callsPerMinute: z.number(), medianRunMs: z.number() })),
  }),
  claims: ({ tight, simulated, dispatcher }) => {
    const capped = rowOf(simulated, /^Getin, \d+ pulls/);
    const free = rowOf(simulated, /^Getin, no cap/);
    const every = rowOf(simulated, /^every event each 5 min$/);
    const everyCapped = rowOf(simulated, /^every event each 5 min, \d+/);
    const largest = dispatcher.at(-1);
    return [
      ...tight.map(tightClaim),
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
