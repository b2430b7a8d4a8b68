// The claims of the bench of the functions' memory.
import * as z from 'zod';
import { numeral, program } from '../program.ts';

const figuresSchema = z.object({ cpuMs: z.number(), peakRssMb: z.number() });

export const memoryProgram = program({
  name: 'memory',
  run: 'node test/proof/bench/memory.ts',
  minutes: 4,
  schema: z.object({
    functions: z.record(z.string(), figuresSchema),
    chosen: z.record(z.string(), z.number()),
  }),
  claims: ({ functions, chosen }) =>
    Object.entries(functions).map(([name, { cpuMs, peakRssMb }]) => ({
      figure: `${name}: peak memory / processor time of an invocation`,
      measured: `${numeral(peakRssMb)} MB / ${numeral(cpuMs)} ms`,
      asked: `at most two thirds of its memory; the rule chooses ${numeral(chosen[name] ?? 0)} MB`,
    })),
});
