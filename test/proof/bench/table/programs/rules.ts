// The claims of the two benches of the rules.
import * as z from 'zod';
import { numeral, program } from '../program.ts';

export const rulesProgram = program({
  name: 'rules',
  run: 'node --max-old-space-size=8192 test/proof/bench/rules.ts',
  minutes: 6,
  schema: z.object({
    growth_1k_to_1m_at_10_reached: z.number(),
    loop_over_index_at_1m: z.number(),
    engine_over_index_at_100k: z.number(),
  }),
  claims: (o) => [
    {
      figure: 'a snapshot that reaches 10 of 1,000,000 rules, in snapshots that reach 10 of 1,000',
      measured: numeral(o.growth_1k_to_1m_at_10_reached, 2),
      asked: 'at most 3',
      peer: `plain loop over 1,000,000: ${numeral(o.loop_over_index_at_1m)} times the index`,
    },
    {
      figure: 'json-rules-engine at 100,000 rules, in times the index',
      measured: numeral(o.engine_over_index_at_100k),
      peer: 'json-rules-engine',
    },
  ],
});

const rowSchema = z.object({
  waiting: z.number(),
  reached: z.number(),
  itemsRead: z.number(),
  readUnits: z.number(),
});

export const storedRulesProgram = program({
  name: 'rules-dynamodb',
  run: 'node test/proof/bench/rules-dynamodb.ts',
  minutes: 3,
  schema: z.object({ figures: z.array(rowSchema).min(3) }),
  claims: ({ figures }) => {
    const most = Math.max(...figures.map(({ waiting }) => waiting));
    return figures
      .filter(({ waiting, reached }) => waiting === most && reached > 0)
      .map(({ waiting, reached, itemsRead, readUnits }) => ({
        figure: `items read from DynamoDB when ${numeral(reached)} of ${numeral(waiting)} triggers are reached`,
        measured: `${numeral(itemsRead)} (${numeral(readUnits, 1)} read units)`,
        peer: `plain loop: ${numeral(waiting)} items`,
      }));
  },
});

export const backtestProgram = program({
  name: 'backtest',
  run: 'node test/proof/bench/backtest.ts',
  minutes: 1,
  schema: z.object({
    cpuMs: z.record(z.string(), z.number()),
    loopMs: z.number(),
  }),
  claims: (o) =>
    Object.entries(o.cpuMs).map(([rule, ms]) => ({
      figure: `a curve of 40 amounts over 13,000 snapshots with 8 zones: ${rule}`,
      measured: `${numeral(ms)} ms of processor time`,
      asked: 'under 400 ms',
      peer: `plain loop that knows levels only: ${numeral(o.loopMs)} ms`,
    })),
});
