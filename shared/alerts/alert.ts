// An alert: one firing of one trigger, with its numbers frozen as they were.
import type { ListingMatch } from '#shared/rules/listings-snapshot.ts';

/** The limits of a rule that keep an alert from being sent at all: its cool-down, its alerts a day. */
export const ruleLimits = ['cool_down', 'cap'] as const;
export type RuleLimit = (typeof ruleLimits)[number];

/**
 * One firing. `value` and `level` are in the series' own unit; `base`, `baseline`, `previousBase`,
 * `withFee` and `askedLevel` in that of what the series measures: integer cents for prices.
 */
export interface Alert {
  alertId: string;
  ownerId: string;
  watchId: string;
  watchName?: string | undefined;
  ruleId: string;
  triggerId: string;
  eventId: number;
  eventName: string;
  eventDate?: string | undefined;
  eventTime?: string | undefined;
  venueName?: string | undefined;
  venueCity?: string | undefined;
  series: string;
  direction: 'down' | 'up';
  role: 'main' | 'further' | 'no_data';
  /** The rule in words. */
  sentence: string;
  value: number;
  level: number;
  /** The level as its owner wrote it; null for a rule without one. */
  askedLevel: number | null;
  /** The number under a window transform; the value itself without one. */
  base: number;
  baseline: number | null;
  previousBase: number | null;
  /**
   * When the market showed the earlier number that the alert tells of, epoch milliseconds. Absent where no
   * one moment can be named, and on alerts from before it was kept.
   */
  earlierAt?: number | undefined;
  isFromNone: boolean;
  /** The buyer's fee in basis points. */
  feeBps: number;
  withFee: number;
  listings: ListingMatch[];
  alreadyTrue: boolean;
  isUrgent: boolean;
  channelIds: string[];
  /** When the market did it, epoch milliseconds. */
  observedAt: number;
  /** When we saw it, epoch milliseconds. */
  firedAt: number;
  /** The limit of its rule that kept it from every channel; absent when none did. */
  unsentReason?: RuleLimit | undefined;
}

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
