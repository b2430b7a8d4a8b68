/** The flags of the delays program. */
import { parsePositive, parseTickMs, readFlags } from '#infra/local/flags.ts';
import type { LoadPlan } from '#test/proof/soak/loaded-cloud.ts';

export const usage = `npm run delays -- [flags]

  --seconds N    how long prices move (300)
  --tick 60s     how long a minute of the schedules takes
  --rate N       alerts a second (2)
  --quick        a short look: 10 s at a tick of 1s
  --assembly DIR run a cloud assembly that is synthesized already`;

export interface Settings {
  plan: LoadPlan;
  seconds: number;
}

/** Few alerts at the same time, so that they don't wait for each other. */
const usual = { events: 20, watchesPerEvent: 10, webhooks: 9, addresses: 1 };
const quick = { events: 2, watchesPerEvent: 4, webhooks: 3, addresses: 1 };

/**
 * @returns undefined if help was asked for
 * @throws LocalRunError that names the invalid flag
 */
export function readSettings(args: string[]): Settings | undefined {
  const { values } = readFlags({
    args,
    options: {
      seconds: { type: 'string' },
      tick: { type: 'string' },
      rate: { type: 'string', default: '2' },
      quick: { type: 'boolean', default: false },
      assembly: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const plan = {
    ...(values.quick ? quick : usual),
    rate: parsePositive('rate', values.rate, 10_000),
    latencySeconds: 1,
    tickMs: parseTickMs(values.tick ?? (values.quick ? '1s' : '60s')),
    assembly: values.assembly,
  };
  const seconds = parsePositive('seconds', values.seconds ?? (values.quick ? '10' : '300'), 7_200);
  return { plan, seconds };
}
