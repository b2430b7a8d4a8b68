// The claims of the programs that run the whole system: under faults, under load, and step by step.
import * as z from 'zod';
import { type Claim, numeral, program } from '../program.ts';

const counts = z.record(z.string(), z.number());

export const faultsProgram = program({
  name: 'faults',
  run: 'node test/proof/faults/main.ts --runs 200',
  quickFlags: '--runs 5',
  minutes: 30,
  schema: z.object({
    ...{ runs: z.number(), failed: z.number(), crossings: z.number(), alerts: z.number() },
    ...{ messages: z.number(), doubled_in_gap: z.number(), violations: counts, faults: counts },
  }),
  claims: (o) => {
    const struck = Object.values(o.faults).reduce((sum, count) => sum + count, 0);
    const under = `${numeral(o.runs)} runs, ${numeral(struck)} faults, ${numeral(o.crossings)} crossings`;
    const found = Object.entries(o.violations).map(([kind, count]) => ({
      figure: `${kind.replaceAll('_', ' ')} (${under})`,
      measured: numeral(count),
      asked: '0',
      peer: `naive evaluator over the marketplace's records: ${numeral(o.alerts)} alerts`,
    }));
    const gap: Claim = {
      figure: 'messages that came twice in the one gap, between a send and its record',
      measured: `${numeral(o.doubled_in_gap)} of ${numeral(o.messages)}`,
      asked: 'counted',
    };
    return [...found, gap];
  },
});

const stepSchema = z.object({
  ...{ step: z.string(), p50: z.number(), p95: z.number(), p99: z.number() },
});

export const delaysProgram = program({
  name: 'delays',
  run: 'node test/proof/delays/main.ts',
  minutes: 7,
  schema: z.object({ delays: z.array(stepSchema).min(1), tickMs: z.number() }),
  claims: ({ delays, tickMs }) =>
    delays.map(({ step, p50, p95, p99 }) => ({
      figure: `${step}: p50 / p95 / p99 (a minute of the schedules takes ${numeral(tickMs / 1_000)} s)`,
      measured: `${[p50, p95, p99].map((ms) => numeral(ms)).join(' / ')} ms`,
    })),
});

const courseSchema = z.object({
  ...{ name: z.string(), unit: z.string(), first: z.number(), last: z.number() },
});

export const soakProgram = program({
  name: 'soak',
  run: 'node test/proof/soak/main.ts',
  quickFlags: '--seconds 60 --rate 10',
  minutes: 33,
  schema: z.object({
    ...{ seconds: z.number(), rate: z.number(), fired: z.number(), missing: z.number() },
    ...{ doubled: z.number(), courses: z.array(courseSchema).min(1) },
  }),
  claims: (o) => [
    {
      figure: `alerts missing / doubled in ${numeral(o.seconds / 60)} min at ${numeral(o.rate, 1)} a second`,
      measured: `${o.missing} / ${o.doubled} of ${numeral(o.fired)}`,
      asked: '0 / 0 at 50 a second',
    },
    ...o.courses.map(({ name, unit, first, last }) => ({
      figure: `${name}, first and last third of the soak`,
      measured: `${numeral(first, 1)} and ${numeral(last, 1)} ${unit}`,
      asked: 'no growth',
    })),
  ],
});
