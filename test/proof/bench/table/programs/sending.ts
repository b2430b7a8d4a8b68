// The claims of the benches of sending.
import * as z from 'zod';
import { numeral, program } from '../program.ts';

export const deliveryProgram = program({
  name: 'delivery',
  run: 'node test/proof/bench/delivery.ts',
  minutes: 1,
  schema: z.object({
    ...{ oursPerSecond: z.number(), barePerSecond: z.number(), ratio: z.number() },
    ...{ undiciPerSecond: z.number(), undiciRatio: z.number() },
    ...{ oursPerCpuSecond: z.number(), barePerCpuSecond: z.number(), cpuRatio: z.number() },
  }),
  claims: (o) => [
    {
      figure: 'signed webhook deliveries a second, in posts of a bare loop of the same client',
      measured: `${o.ratio.toFixed(2)} (${numeral(o.oursPerSecond)}/s)`,
      asked: 'at least 0.60',
      peer: `node:http with an agent, the same bytes: ${numeral(o.barePerSecond)}/s`,
    },
    {
      figure: 'the same by the sender’s own processor time',
      measured: `${o.cpuRatio.toFixed(2)} (${numeral(o.oursPerCpuSecond)} a processor second)`,
      peer: `node:http: ${numeral(o.barePerCpuSecond)} a processor second`,
    },
    {
      figure: 'the same in posts of the fastest client, undici, which is 272 KB more in the bundle',
      measured: o.undiciRatio.toFixed(2),
      peer: `undici, the same bytes: ${numeral(o.undiciPerSecond)}/s`,
    },
  ],
});

export const fairnessProgram = program({
  name: 'fairness',
  run: 'node test/proof/bench/fairness.ts',
  minutes: 2,
  schema: z.object({
    ...{ aloneP95Ms: z.number(), besideP95Ms: z.number(), ratio: z.number() },
    ...{ plainP95Ms: z.number().optional(), slowLastMs: z.number(), slowAlerts: z.number() },
  }),
  claims: (o) => [
    {
      figure:
        'p95 of a quick receiver beside 240 alerts for one that takes 8 s, in its p95 alone (virtual time)',
      measured: `${o.ratio.toFixed(2)} (${numeral(o.besideP95Ms)} and ${numeral(o.aloneP95Ms)} ms)`,
      asked: 'under 2',
      ...(o.plainP95Ms !== undefined && {
        peer: `plain queue, no slots: ${numeral(o.plainP95Ms / 1_000, 1)} s`,
      }),
    },
    {
      figure: 'until the slow receiver has its 240 alerts',
      measured: `${numeral(o.slowLastMs / 1_000, 1)} s (${numeral(o.slowAlerts)} alerts)`,
    },
  ],
});
