// What the bench of the sending claims.
import * as z from 'zod';
import { numeral, program } from '../program.ts';

export const deliveryProgram = program({
  name: 'delivery',
  run: 'node test/bench/delivery.ts',
  minutes: 1,
  schema: z.object({
    ...{ oursPerSecond: z.number(), barePerSecond: z.number(), ratio: z.number() },
    ...{ oursPerCpuSecond: z.number(), barePerCpuSecond: z.number(), cpuRatio: z.number() },
  }),
  claims: (o) => [
    {
      figure: 'signed webhook deliveries a second, in posts of a bare loop',
      measured: `${o.ratio.toFixed(2)} (${numeral(o.oursPerSecond)}/s)`,
      asked: 'at least 0.60',
      peer: `undici, the same bytes: ${numeral(o.barePerSecond)}/s`,
    },
    {
      figure: 'the same by the sender’s own processor time',
      measured: `${o.cpuRatio.toFixed(2)} (${numeral(o.oursPerCpuSecond)} a processor second)`,
      peer: `undici: ${numeral(o.barePerCpuSecond)} a processor second`,
    },
  ],
});
