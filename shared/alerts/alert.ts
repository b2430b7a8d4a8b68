// An alert: one firing of one trigger, or one recovery after it, with its numbers frozen as they were.
import type { Chart } from '#shared/charts/chart.ts';
import type { ListingMatch } from '#shared/rules/listings-snapshot.ts';
import type { FiringRole } from '#shared/rules/transitions.ts';

/** A rule's own limits that stop an alert from being sent: its cool-down, its alerts per day. */
export const ruleLimits = ['cool_down', 'cap'] as const;
export type RuleLimit = (typeof ruleLimits)[number];

/**
 * One firing. `value` and `level` are in the series' own unit; `base`, `baseline`, `previousBase`, `withFee`
 * and `askedLevel` are in the unit of the metric: integer cents for prices.
 */
export interface Alert {
  alertId: string;
  ownerId: string;
  watchId: string;
  watchName?: string | undefined;
  watchTags?: string[] | undefined;
  ruleId: string;
  triggerId: string;
  eventId: number;
  eventName: string;
  eventDate?: string | undefined;
  eventTime?: string | undefined;
  venueName?: string | undefined;
  venueCity?: string | undefined;
  /** The event's id at Ticketmaster. */
  tmEventId?: string | undefined;
  series: string;
  direction: 'down' | 'up';
  role: FiringRole;
  /** The rule in words. */
  sentence: string;
  value: number;
  level: number;
  /** The level that the owner wrote; null for a rule without a level. */
  askedLevel: number | null;
  /** The number before a window transform; without a transform, the value itself. */
  base: number;
  baseline: number | null;
  /** The value of the snapshot before; for a recovery, that of its alert. */
  previousBase: number | null;
  /**
   * When the market had the earlier number, epoch milliseconds. Absent if it is not the value of one moment,
   * and on alerts stored before this field existed.
   */
  earlierAt?: number | undefined;
  /**
   * How far back the values in the rule's window reached, milliseconds. Absent without a window, and on
   * alerts stored before this field existed.
   */
  coveredMs?: number | undefined;
  isFromNone: boolean;
  /**
   * Set if the price is that of one listing far under the rest: the number of snapshots in a row that had to
   * show it.
   */
  loneListing?: { confirmations: number } | undefined;
  /** The buyer's fee in basis points. */
  feeBps: number;
  withFee: number;
  listings: ListingMatch[];
  /**
   * The recent values of the number, in the unit of `base`. Absent if there were fewer than two, if they could
   * not be read, and on alerts stored before this field existed.
   */
  chart?: Chart;
  /**
   * Set if it may repeat an alert that was sent before the tables were restored: they are from this moment, epoch
   * milliseconds.
   */
  mayRepeatSince?: number | undefined;
  /**
   * When the two minutes began within which the alert is promised, epoch milliseconds. Absent if it is not
   * promised: the budget made the poll wait, or the rule was true when it was made.
   */
  promisedFrom?: number | undefined;
  alreadyTrue: boolean;
  isUrgent: boolean;
  channelIds: string[];
  /** When the market had the value, epoch milliseconds. */
  observedAt: number;
  /** When the trigger fired or re-armed, epoch milliseconds. */
  firedAt: number;
  /** The rule's limit that stopped this alert on every channel; absent if none did. */
  unsentReason?: RuleLimit | undefined;
  /** When the store may delete it; the store sets it. */
  expiresAtEpochSeconds?: number | undefined;
}

/**
 * The id of one firing. The trigger id distinguishes rules; the generation, which grows each time the
 * trigger re-arms, distinguishes firings of one rule. A redelivery gives the same id.
 */
export function alertIdOf(triggerId: string, generation: number): string {
  return `alt_${triggerId.replace(/^trg_/, '')}_${generation}`;
}

/** The generation of the trigger that fired; of an alert that is neither a recovery nor stopped by a limit. */
export function generationOf({ alertId }: Pick<Alert, 'alertId'>): number {
  return Number(alertId.slice(alertId.lastIndexOf('_') + 1));
}

const recoverySuffix = '_r';

/** The id of the recovery of a firing: one for each, because a firing re-arms once. */
export function recoveryIdOf(triggerId: string, generation: number): string {
  return `${alertIdOf(triggerId, generation)}${recoverySuffix}`;
}

/** The id of the alert that a recovery ends; undefined for an alert that is no recovery. */
export function alertBefore({ role, alertId }: Pick<Alert, 'role' | 'alertId'>) {
  return role === 'recovery' ? alertId.slice(0, -recoverySuffix.length) : undefined;
}

/** The id of an alert that a limit of its rule stopped: one for each crossing, by its first snapshot. */
export function silencedAlertIdOf(firing: {
  triggerId: string;
  generation: number;
  observedAt: number;
}): string {
  return `${alertIdOf(firing.triggerId, firing.generation)}_s${firing.observedAt}`;
}
