// The claims of the structure program: how many files a change touches, how long files are.
import * as z from 'zod';
import { numeral, program } from '../program.ts';

const measureSchema = z.object({ what: z.string(), value: z.number(), aim: z.number() });

export const structureProgram = program({
  name: 'structure',
  run: 'node test/proof/structure/main.ts',
  minutes: 1,
  schema: z.object({ measures: z.array(measureSchema).min(10) }),
  claims: ({ measures }) =>
    measures.map(({ what, value, aim }) => ({
      figure: what,
      measured: numeral(value),
      asked: aim === 0 ? '0' : `at most ${numeral(aim)}`,
    })),
});
