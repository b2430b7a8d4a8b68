// An alert: one firing of one trigger, with its numbers frozen as they were.
import {
  any,
  anyOf,
  boolean,
  type FormattedValue,
  item,
  list,
  nul,
  number,
  string,
} from 'dynamodb-toolbox/schema';
import type { ListingMatch } from '#shared/rules/listings-snapshot.ts';

/** The limits of a rule that keep an alert from being sent at all: its cool-down, its alerts a day. */
export const ruleLimits = ['cool_down', 'cap'] as const;
export type RuleLimit = (typeof ruleLimits)[number];

/**
 * `value` and `level` are in the series' own unit, `base` (the number under a window transform, the
 * value itself without one), `baseline`, `previousBase`, `withFee` and `askedLevel` (the level as its
 * owner wrote it, null for a rule without one) in that of what it measures: integer cents for prices.
 * `earlierAt` is when the market showed the earlier number that the alert tells of, where one moment can
 * be named; alerts from before it was kept have none. `observedAt` is when the market did it, `firedAt`
 * when we saw it; all epoch milliseconds. `unsentReason`: a limit of its rule kept it from every channel.
 */
export const alertSchema = item({
  alertId: string().key(),
  ownerId: string(),
  watchId: string(),
  watchName: string().optional(),
  ruleId: string(),
  triggerId: string(),
  eventId: number(),
  eventName: string(),
  eventDate: string().optional(),
  eventTime: string().optional(),
  venueName: string().optional(),
  venueCity: string().optional(),
  series: string(),
  direction: string().enum('down', 'up'),
  role: string().enum('main', 'further', 'no_data'),
  sentence: string(),
  value: number(),
  level: number(),
  askedLevel: anyOf(number(), nul()),
  base: number(),
  baseline: anyOf(number(), nul()),
  previousBase: anyOf(number(), nul()),
  earlierAt: number().optional(),
  isFromNone: boolean(),
  feeBps: number(),
  withFee: number(),
  listings: list(any().castAs<ListingMatch>()),
  alreadyTrue: boolean(),
  isUrgent: boolean(),
  channelIds: list(string()),
  observedAt: number(),
  firedAt: number(),
  unsentReason: string()
    .enum(...ruleLimits)
    .optional(),
});

export type Alert = FormattedValue<typeof alertSchema>;

/**
 * The id of one firing. The trigger id keeps two rules apart; the generation, which grows each time
 * the trigger re-arms, keeps two firings of one rule apart. A redelivery yields the same id.
 */
export function alertIdOf(triggerId: string, generation: number): string {
  return `alt_${triggerId.replace(/^trg_/, '')}_${generation}`;
}

/**
 * The id of an alert that a limit of its rule kept back: once for each crossing or, where the trigger
 * can't tell one crossing from the next, once for each arming.
 */
export function silencedAlertIdOf(
  {
    triggerId,
    generation,
    observedAt,
  }: { triggerId: string; generation: number; observedAt: number },
  { perArming }: { perArming: boolean },
): string {
  return `${alertIdOf(triggerId, generation)}_s${perArming ? '' : observedAt}`;
}
