// What a feed keeps to know the value of its next pull: its price's memory, its rate of alerts, what its triggers
// promise, and how well the promises came true. Every poll that brings news replaces it. Pure.
import type { FleetLearning } from './learned.ts';
import { type PriceMemory, variancesOf } from './price-memory.ts';
import { alertsWithin, expectedAlerts, type Prospect } from './reach.ts';

/** The level that is nearest, for the words of a reason. */
export interface NearestLevel {
  distance: number;
  /** The level as people read it, such as "$120". */
  name: string;
}

/** How the promises of the last polls came true. All sums fade. */
export interface PromiseEvidence {
  /** Alerts that the levels explain, and those that the levels promised. */
  byLevels: number;
  ofLevels: number;
  /** The same for the event's rate. */
  byRate: number;
  ofRate: number;
}

/** Expected alerts by the levels and by the rate, and the days of the news. */
export interface Promised {
  levels: number;
  rate: number;
  days: number;
}

export interface FeedValue {
  /** Absent for a feed without a price of its own, such as listings. */
  memory?: PriceMemory | undefined;
  /** The alerts of the event when it was last polled, counted since it began. */
  alerts: number;
  /** Alerts, and the days in which they came; both fade. */
  rate: { alerts: number; days: number };
  /** The expected alerts of the triggers within each of `curveSpans`. */
  curve: number[];
  evidence: PromiseEvidence;
  /** What was expected of the news of the last poll, whose alerts the next poll knows. */
  promised: Promised;
  nearest?: NearestLevel | undefined;
}

const dayMs = 86_400_000;
/** Alerts of this many days count half in the rate. */
const rateHalfLifeDays = 4;
/** So many days of the fleet's rate count beside the event's own. */
const fleetDays = 0.5;
/** One poll with more alerts, such as of a mis-keyed price that many watch, proves no more than this. */
const mostAlerts = 20;
/** Evidence of this many polls ago counts half. */
const evidenceHalfLife = 40;

export const noEvidence: PromiseEvidence = { byLevels: 0, ofLevels: 0, byRate: 0, ofRate: 0 };

export interface ValueInput {
  before: FeedValue | undefined;
  memory: PriceMemory | undefined;
  prospects: readonly Prospect[];
  nearest: NearestLevel | undefined;
  /** The event's alerts so far, without those of the news that this poll brought. */
  alerts: number;
  /** From the newest snapshot before to the newest now. */
  elapsedMs: number;
  /** The time between two refreshes. */
  gapMs: number;
  watches: number;
  learned: FleetLearning;
  /** The time of the newest snapshot, epoch milliseconds. */
  now: number;
}

/** The value after a poll that brought news. */
export function valueAfter(input: ValueInput): FeedValue {
  const { before, memory, prospects, nearest, alerts, gapMs, learned, now } = input;
  const variances = memory ? variancesOf(memory, learned, gapMs) : [];
  const curve = expectedAlerts(prospects, { variances, gapMs, now });
  const nothing = { levels: 0, rate: 0, days: 0 };
  // The alerts that are known now are those of the news of the poll before: its evaluation came after it.
  const seen = before ? Math.min(mostAlerts, Math.max(0, alerts - before.alerts)) : 0;
  return {
    ...{ alerts, curve, ...(memory && { memory }) },
    promised: before ? promisedBy(before, input) : nothing,
    rate: before ? rateAfter(before, seen) : { alerts: 0, days: 0 },
    evidence: before ? evidenceAfter(before, seen, learned.mix) : noEvidence,
    ...(nearest && { nearest }),
  };
}

function rateAfter({ rate, promised: { days } }: FeedValue, alerts: number) {
  const kept = 0.5 ** (days / rateHalfLifeDays);
  return { alerts: rate.alerts * kept + alerts, days: rate.days * kept + days };
}

/** What was expected of the news of this poll, by the value before it. */
function promisedBy(before: FeedValue, input: ValueInput): Promised {
  const refreshes = input.elapsedMs / input.gapMs;
  return {
    levels: alertsWithin(before.curve, refreshes),
    rate: alertsPerRefresh(before, input) * refreshes,
    days: input.elapsedMs / dayMs,
  };
}

/** The alerts that came are divided between the two promises in proportion to what each expected. */
function evidenceAfter({ evidence, promised }: FeedValue, seen: number, mix: FleetLearning['mix']) {
  const ofLevels = promised.levels * mix.levels;
  const share = ofLevels / Math.max(1e-9, ofLevels + promised.rate * mix.rate);
  const kept = 0.5 ** (1 / evidenceHalfLife);
  return {
    byLevels: evidence.byLevels * kept + seen * share,
    ofLevels: evidence.ofLevels * kept + promised.levels,
    byRate: evidence.byRate * kept + seen * (1 - share),
    ofRate: evidence.ofRate * kept + promised.rate,
  };
}

/** The event's own rate of alerts, and the fleet's as long as it is not known. */
export function alertsPerRefresh(
  { rate }: Pick<FeedValue, 'rate'>,
  { learned, watches, gapMs }: { learned: FleetLearning; watches: number; gapMs: number },
): number {
  const usual = learned.alertsPerWatchDay * Math.max(1, watches) * fleetDays;
  return (((rate.alerts + usual) / (rate.days + fleetDays)) * gapMs) / dayMs;
}

/** Whether a stored value has this form. */
export function isFeedValue(value: unknown): value is FeedValue {
  try {
    return isWhole(value);
  } catch {
    return false;
  }
}

/** @throws TypeError if a part is missing. */
function isWhole(value: unknown): boolean {
  const { memory, alerts, rate, curve, evidence, promised } = Object(value) as Partial<FeedValue>;
  const sums = Object(evidence) as PromiseEvidence;
  return [
    ...[alerts, rate?.alerts, rate?.days],
    ...[promised?.levels, promised?.rate, promised?.days],
    ...[sums.byLevels, sums.ofLevels, sums.byRate, sums.ofRate],
    ...(Array.isArray(curve) ? curve : [Number.NaN]),
    ...(memory === undefined ? [] : numbersOf(memory)),
  ].every((each) => typeof each === 'number' && Number.isFinite(each));
}

function numbersOf({ firstAt, last, steps, from, squares, counts, day, week }: PriceMemory) {
  const ranges = [day, week].flatMap(({ startsAt, high, low, highBefore, lowBefore }) => [
    ...[startsAt, high, low, highBefore, lowBefore],
  ]);
  return [firstAt, last, steps, ...from, ...squares, ...counts, ...ranges];
}
