// The claims of the bench of the desk.
import * as z from 'zod';
import { numeral, program } from '../program.ts';

export const deskProgram = program({
  name: 'desk',
  run: 'node test/proof/bench/desk.ts',
  minutes: 2,
  schema: z.object({
    ...{ watches: z.number(), board_ms: z.number(), drawing_ms: z.number(), plain_ms: z.number() },
    ...{ gzip_bytes: z.number(), idle_requests_per_minute: z.number() },
  }),
  claims: (o) => [
    {
      figure: `board of ${numeral(o.watches)} watches, after the answer of the API until every row is drawn`,
      measured: `${numeral(o.drawing_ms)} ms; ${numeral(o.board_ms)} ms with the answer of the emulated tables`,
      asked: 'drawn within 1 s',
      peer: `the same rows as plain HTML: ${numeral(o.plain_ms)} ms`,
    },
    {
      figure: 'scripts and styles of the desk, gzipped',
      measured: `${numeral(o.gzip_bytes / 1_000, 1)} KB`,
      asked: 'at most 70 KB',
    },
    {
      figure: 'requests of an idle board in a minute',
      measured: `${o.idle_requests_per_minute}`,
      asked: 'at most 8: two every 15 s',
    },
  ],
});
