/** Fits an amount on the earlier half of a game's prices and counts its alerts on the later half. */
import { runBacktest } from '#shared/backtest/backtest.ts';
import type { Rule } from '#shared/rules/language/rule.ts';
import type { RecordedGame } from './recorded-prices.ts';

export interface Tested {
  /** The amount that the earlier half suggests. */
  amount: number;
  /** Its alerts a week in the later half. */
  perWeek: number;
}

const latencyMs = 60_000;

/** @returns undefined if a half covers less than a week, or nothing fires in the earlier half. */
export async function testOnLaterHalf(
  rule: Rule,
  { id: eventId, snapshots }: RecordedGame,
  aimPerWeek: number,
): Promise<Tested | undefined> {
  const [first, last] = [snapshots[0], snapshots.at(-1)];
  if (!first || !last) return undefined;
  const middle = (first.observedAt + last.observedAt) / 2;
  const earlier = snapshots.filter(({ observedAt }) => observedAt <= middle);
  const later = snapshots.filter(({ observedAt }) => observedAt > middle);
  const event = { eventId, eventStartsAt: null };
  const fitted = await runBacktest(
    rule,
    { ...event, snapshots: earlier },
    { aimPerWeek, latencyMs },
  );
  if (!fitted.suggested) return undefined;
  const { rule: chosen, amount } = fitted.suggested;
  const { perWeek } = await runBacktest(chosen, { ...event, snapshots: later }, { latencyMs });
  return perWeek === null ? undefined : { amount, perWeek };
}
