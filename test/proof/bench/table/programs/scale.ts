// The claims of the bench of a large deployment's maintenance.
import * as z from 'zod';
import { runSchema } from '../../scale/figures.ts';
import { numeral, program } from '../program.ts';

export const scaleProgram = program({
  name: 'scale',
  run: 'node test/proof/bench/scale.ts',
  minutes: 10,
  schema: z.object({
    ...{ feeds: z.number(), pulls: z.number() },
    ...{ reconcile: runSchema, first: runSchema, budget: runSchema },
  }),
  claims: ({ feeds, pulls, reconcile, first, budget }) => {
    const size = `${numeral(feeds)} feeds and ${numeral(pulls)} pulls a period`;
    const rows = [
      {
        name: 'a run of reconcile with its hourly check',
        run: reconcile,
        asked: '20 s and 256 MB',
      },
      { name: 'the first run after the release', run: first, asked: '60 s' },
      { name: 'GET /v1/budget', run: budget, asked: '10 s' },
    ];
    return rows.map(({ name, run, asked }) => ({
      figure: `${name}, ${size}, at AWS’s latencies`,
      measured: `${numeral(run.seconds, 1)} s, ${numeral(run.waitedSeconds, 1)} of them waiting; heap ${numeral(run.heapMb)} MB; ${numeral(run.requests)} requests to DynamoDB`,
      asked: `at most ${asked}`,
    }));
  },
});
