// The claims of the benches of the functions' start, size and answers.
import * as z from 'zod';
import { numeral, program } from '../program.ts';

export const apiProgram = program({
  name: 'api',
  run: 'node test/proof/bench/api.ts',
  minutes: 1,
  schema: z.object({
    p99_ms: z.number(),
    p50_ms: z.number(),
    bare_hono_p50_ms: z.number(),
    bundle_bytes: z.number(),
    init_ms: z.number(),
    first_request_ms: z.number(),
  }),
  claims: (o) => [
    {
      figure: 'GET /v1/watches/{id}: p50 / p99, tables apart',
      measured: `${numeral(o.p50_ms, 2)} / ${numeral(o.p99_ms, 2)} ms`,
      asked: 'p99 under 15 ms',
      peer: `bare Hono route, p50: ${numeral(o.bare_hono_p50_ms, 2)} ms`,
    },
    {
      figure: 'bundle of the api function',
      measured: `${numeral(o.bundle_bytes / 1_000)} KB`,
      asked: 'under 1,200 KB',
    },
    { figure: 'its start on one core', measured: `${o.init_ms} ms`, asked: 'under 250 ms' },
    {
      figure: 'then the first request for watches, the largest part of the API',
      measured: `${o.first_request_ms} ms`,
    },
  ],
});

const startSchema = z.object({
  name: z.string(),
  bytes: z.number(),
  initMs: z.number(),
  minimalInitMs: z.number(),
  ratio: z.number(),
});

export const coldstartProgram = program({
  name: 'coldstart',
  run: 'node test/proof/bench/coldstart.ts',
  minutes: 2,
  schema: z.object({ figures: z.array(startSchema).min(1) }),
  claims: ({ figures }) =>
    figures.map((one) => ({
      figure: `start of ${one.name} (${numeral(one.bytes / 1_000)} KB)`,
      measured: `${numeral(one.initMs)} ms, ${one.ratio.toFixed(2)} times the peer`,
      asked: 'at most 1.5 times, or a reason',
      peer: `minimal handler with the same clients: ${numeral(one.minimalInitMs)} ms`,
    })),
});

const callSchema = z.object({ readUnits: z.number(), writeUnits: z.number() });

export const footprintProgram = program({
  name: 'footprint',
  run: 'node test/proof/bench/footprint.ts',
  minutes: 1,
  schema: z.object({ quietPoll: callSchema, newsPoll: callSchema, alert: callSchema }),
  claims: ({ quietPoll, newsPoll, alert }) =>
    Object.entries({
      'a poll without news': quietPoll,
      'a poll with a new snapshot': newsPoll,
      'an alert, to its delivery': alert,
    }).map(([what, { readUnits, writeUnits }]) => ({
      figure: `${what}: read units / write units of DynamoDB`,
      measured: `${numeral(readUnits, 1)} / ${numeral(writeUnits, 1)}`,
    })),
});

export const listProgram = program({
  name: 'list',
  run: 'node test/proof/bench/list.ts',
  minutes: 1,
  schema: z.object({
    watches: z.number(),
    requests: z.number(),
    ms: z.number(),
    cpu_ms: z.number(),
  }),
  claims: ({ watches, requests, ms, cpu_ms }) => [
    {
      figure: `GET /v1/watches?include=standing, ${watches} watches on as many events, at AWS’s latencies: p50`,
      measured: `${ms} ms, ${cpu_ms} of them processor time; ${requests} requests to DynamoDB`,
      asked: 'under 300 ms for 1,000',
    },
  ],
});

const seriesAnswer = z.object({
  ...{ requests: z.number(), ms: z.number(), cpu_ms: z.number(), kilobytes: z.number() },
});

export const seriesProgram = program({
  name: 'series',
  run: 'node test/proof/bench/series.ts',
  minutes: 4,
  schema: z.object({
    ...{ days: z.number(), day_bytes: z.number(), snapshot_bytes: z.number() },
    ...{ pages_of_three_days: z.number(), day: seriesAnswer, three_days: seriesAnswer },
    ...{ quarter: seriesAnswer, zones: seriesAnswer, unchanged: seriesAnswer },
  }),
  claims: (o) => {
    const words = ({ ms, cpu_ms, requests, kilobytes }: z.infer<typeof seriesAnswer>) =>
      `${ms} ms, ${cpu_ms} of them processor time; ${requests} requests to DynamoDB, ${kilobytes} KB`;
    const event = `${o.days} days at one snapshot in 2 minutes`;
    return [
      { figure: `chart of 24 h, ${event}`, measured: words(o.day) },
      { figure: `chart of 3 days, ${event}`, measured: words(o.three_days) },
      {
        figure: 'pages of 1 MB that the snapshots of 3 days are in DynamoDB',
        measured: `${o.pages_of_three_days}`,
        asked: 'at most 5',
      },
      { figure: `chart of 90 days, ${event}`, measured: words(o.quarter) },
      { figure: `its 20 zones in their 30 days, ${event}`, measured: words(o.zones) },
      { figure: `chart of 90 days, nothing new: 304, ${event}`, measured: words(o.unchanged) },
      {
        figure: 'a day of prices with 20 zones, beside a snapshot',
        measured: `${numeral(o.day_bytes)} bytes, ${numeral(o.snapshot_bytes)} bytes`,
      },
    ];
  },
});

export const importProgram = program({
  name: 'import',
  run: 'node test/proof/bench/import.ts',
  minutes: 4,
  schema: z.object({
    ...{ rows: z.number(), rows_per_second: z.number(), seconds: z.number() },
    ...{ requests_per_row: z.number(), cpu_ms_per_row: z.number(), accept_cpu_ms: z.number() },
  }),
  claims: (o) => [
    {
      figure: `import of ${numeral(o.rows)} rows on as many events by one worker, at AWS’s latencies: rows a second`,
      measured: `${numeral(o.rows_per_second)} (${numeral(o.seconds, 1)} s); ${o.requests_per_row} requests to DynamoDB and ${o.cpu_ms_per_row} ms of processor time a row`,
    },
    {
      figure: `until a file of ${numeral(o.rows)} rows is taken, processor time of the API and the emulator`,
      measured: `${numeral(o.accept_cpu_ms)} ms`,
      asked: 'well under 10 s on a third of a processor',
    },
  ],
});

export const creationProgram = program({
  name: 'creation',
  run: 'node test/proof/bench/creation.ts',
  minutes: 1,
  schema: z.object({ rounds: z.number(), requests: z.number(), ms: z.number() }),
  claims: ({ rounds, requests, ms }) => [
    {
      figure: 'POST /v1/watches on a new event, at AWS’s latencies: rounds of requests to DynamoDB',
      measured: `${rounds}`,
      asked: 'at most 4',
    },
    {
      figure: 'the same with the reading of the key and the count of requests: p50',
      measured: `${ms} ms; ${requests} requests to DynamoDB`,
    },
  ],
});

const exportSchema = z.object({
  ...{ rows: z.number(), ms: z.number(), cpu_ms: z.number(), requests: z.number() },
  kilobytes: z.number(),
});

export const exportProgram = program({
  name: 'export',
  run: 'node test/proof/bench/export.ts',
  minutes: 4,
  schema: z.object({ whole: exportSchema, part: exportSchema }),
  claims: ({ whole, part }) =>
    [whole, part].map(({ rows, ms, cpu_ms, requests, kilobytes }, index) => ({
      figure: `CSV of ${numeral(rows)} of an owner’s watches${index === 1 ? ' with their standing' : ''}, at AWS’s latencies`,
      measured: `${numeral(ms)} ms, ${numeral(cpu_ms)} of them processor time; ${numeral(requests)} requests to DynamoDB, ${numeral(kilobytes)} KB`,
      asked: 'under 10 s and 6 MB',
    })),
});

export const chartProgram = program({
  name: 'chart',
  run: 'node test/proof/bench/chart.ts',
  minutes: 1,
  schema: z.object({
    ...{ p50_ms: z.number(), p95_ms: z.number(), empty_p50_ms: z.number() },
    largest_bytes: z.number(),
  }),
  claims: (o) => [
    {
      figure: 'picture of a chart, warm: p50 / p95',
      measured: `${o.p50_ms} / ${o.p95_ms} ms; at most ${numeral(o.largest_bytes / 1_000)} KB`,
      asked: 'p95 under 80 ms, 60 KB',
      peer: `an empty picture of its size, p50: ${o.empty_p50_ms} ms`,
    },
  ],
});
