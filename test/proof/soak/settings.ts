/** The flags of the soak. */
import { LocalRunError } from '#infra/local/errors.ts';
import { parsePositive, parseTickMs, readFlags } from '#infra/local/flags.ts';
import type { LoadPlan } from './loaded-cloud.ts';

export const usage = `npm run soak -- [flags]

  --minutes N    how long the load lasts (30)
  --seconds N    the same in seconds, for a short one; 60 at the least
  --rate N       alerts a second (50)
  --tick 2s      how long a minute of the schedules takes
  --assembly DIR run a cloud assembly that is synthesized already`;

export interface Settings {
  plan: LoadPlan;
  seconds: number;
  /** Time between two rows. */
  rowSeconds: number;
}

const shortestSeconds = 60;
/** A channel takes 10,000 alerts a day, and an owner has 50 channels. */
const longestSeconds = 7_200;
/** Far more than one machine can handle. */
const mostRate = 10_000;
const shortRunSeconds = 300;
/** One alert in 25 goes by mail, because the mail emulator is slow. */
const channels = { webhooks: 48, addresses: 2 };
const watchesPerEvent = 100;
/** Each event refreshes about this often, whatever the rate. */
const refreshSeconds = 10;

/**
 * @returns undefined if help was asked for
 * @throws LocalRunError that names the invalid flag
 */
export function readSettings(args: string[]): Settings | undefined {
  const { values } = readFlags({
    args,
    options: {
      minutes: { type: 'string' },
      seconds: { type: 'string' },
      rate: { type: 'string', default: '50' },
      tick: { type: 'string', default: '2s' },
      assembly: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const seconds = lengthOf(values);
  const rate = parsePositive('rate', values.rate, mostRate);
  const plan = {
    rate,
    events: Math.max(1, Math.round((rate * refreshSeconds) / (watchesPerEvent / 2))),
    watchesPerEvent,
    ...channels,
    latencySeconds: 1,
    tickMs: parseTickMs(values.tick),
    assembly: values.assembly,
  };
  return { plan, seconds, rowSeconds: seconds < shortRunSeconds ? 10 : 60 };
}

function lengthOf({ minutes, seconds }: { minutes?: string; seconds?: string }): number {
  if (minutes !== undefined && seconds !== undefined) {
    throw new LocalRunError('Give --minutes or --seconds, not both.');
  }
  const length =
    seconds === undefined
      ? parsePositive('minutes', minutes ?? '30', longestSeconds / 60) * 60
      : parsePositive('seconds', seconds, longestSeconds);
  if (length >= shortestSeconds && length <= longestSeconds) return Math.round(length);
  throw new LocalRunError(
    `A soak lasts ${shortestSeconds} to ${longestSeconds} seconds, not ${length}.`,
  );
}
