// The claims of the bench of the desk.
import * as z from 'zod';
import { numeral, program } from '../program.ts';

export const deskProgram = program({
  name: 'desk',
  run: 'node test/proof/bench/desk.ts',
  minutes: 4,
  schema: z.object({
    ...{ watches: z.number(), board_ms: z.number(), drawing_ms: z.number(), plain_ms: z.number() },
    ...{ screen_ms: z.number() },
    ...{ chart_days: z.number(), chart_page_ms: z.number(), chart_open_ms: z.number() },
    ...{ chart_click_ms: z.number(), chart_drawing_ms: z.number(), chart_plain_ms: z.number() },
    ...{ gzip_bytes: z.number(), idle_requests_per_minute: z.number() },
  }),
  claims: (o) => [
    {
      figure: `board of ${numeral(o.watches)} watches, after the answer of the API until its screen is full`,
      measured: `${numeral(o.screen_ms)} ms; every row after ${numeral(o.drawing_ms)} ms, ${numeral(o.board_ms)} ms from the navigation, at AWS’s latencies`,
      asked: 'drawn within 1 s',
      peer: `the same rows as plain HTML: ${numeral(o.plain_ms)} ms`,
    },
    {
      figure: `chart of ${o.chart_days} days, one snapshot each half hour: from the press on its range until it is drawn`,
      measured: `${numeral(o.chart_click_ms)} ms; the whole event opened from the board ${numeral(o.chart_open_ms)} ms, by its address ${numeral(o.chart_page_ms)} ms`,
      asked: 'within 300 ms',
      peer: `the same drawing as plain HTML: ${numeral(o.chart_plain_ms)} ms, after the answer ${numeral(o.chart_drawing_ms)} ms here`,
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
