// The claims of the bench of a large deployment: its maintenance, and one hot event.
import * as z from 'zod';
import { hotEventSchema, runSchema } from '../../scale/figures.ts';
import { numeral, program } from '../program.ts';

export const scaleProgram = program({
  name: 'scale',
  run: 'node test/proof/bench/scale.ts',
  minutes: 10,
  schema: z.object({
    ...{ feeds: z.number(), pulls: z.number() },
    ...{ reconcile: runSchema, first: runSchema, budget: runSchema },
    ...{ triggers: z.number(), hot: hotEventSchema },
  }),
  claims: ({ feeds, pulls, reconcile, first, budget, triggers, hot }) => {
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
    const maintenance = rows.map(({ name, run, asked }) => ({
      figure: `${name}, ${size}, at AWS’s latencies`,
      measured: `${numeral(run.seconds, 1)} s, ${numeral(run.waitedSeconds, 1)} of them waiting; heap ${numeral(run.heapMb)} MB; ${numeral(run.requests)} requests to DynamoDB`,
      asked: `at most ${asked}`,
    }));
    const hotEvent = {
      figure: `one refresh reaches ${numeral(triggers)} triggers of an event, at AWS’s latencies: until all are raised`,
      measured: `${numeral(hot.seconds, 1)} s; ${numeral(hot.requestsPerAlert, 2)} requests to DynamoDB an alert; ${numeral(hot.atOnce)} invocations at once`,
      asked: 'at most 60 s and 5 requests an alert',
    };
    return [...maintenance, hotEvent];
  },
});
