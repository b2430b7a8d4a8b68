/** Parses EventBridge Scheduler's rate expressions; refuses the other kinds by name. */
import { LocalRunError } from '../errors.ts';

const unitMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

/**
 * @returns the interval in milliseconds
 * @throws LocalRunError for `cron(…)`, `at(…)` and anything else that is no rate
 */
export function parseRateMs(expression: string): number {
  const found = /^rate\(([1-9]\d*) (minute|hour|day)s?\)$/.exec(expression);
  if (!found) {
    throw new LocalRunError(
      `The local run takes rate(N minutes|hours|days), not ${JSON.stringify(expression)}.`,
    );
  }
  const [, count, unit] = found;
  return Number(count) * unitMs[unit as keyof typeof unitMs];
}
