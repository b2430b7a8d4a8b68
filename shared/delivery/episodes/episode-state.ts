// Decides what a living message shows: what the market did since its alert. Pure; reads no store and no clock.
import { LoadedHistory, type Point } from '#shared/rules/history.ts';
import type { ListingMatch } from '#shared/rules/listings-snapshot.ts';
import { remeasure, rememberBases } from '#shared/rules/reading.ts';
import { parseSeries, type Transform } from '#shared/rules/series.ts';
import {
  type BaseSeries,
  baseKeyOf,
  baseValue,
  currentOf,
  listingsOf,
  type Snapshot,
  unitOf,
} from '#shared/rules/sources/sources.ts';
import { hasPassedRearm, isReached, type Trigger } from '#shared/rules/trigger.ts';
import { type EventFacts, isPast, overAt } from '#shared/watchlist/event-facts.ts';
import type { Alert } from '../../alerts/alert.ts';
import { type EpisodeState, episodeOf } from './living-message.ts';

interface EpisodeFacts {
  alert: Alert;
  /** What the message shows now. */
  shows: EpisodeState;
  /** The main trigger of the alert's rule as it is stored now. */
  trigger: Trigger | undefined;
  /** The newest snapshots of the alert's feed, oldest first. Older ones than the alert are ignored. */
  snapshots: readonly Snapshot[];
  event: EventFacts | undefined;
  /** Epoch milliseconds. */
  now: number;
}

/** @returns undefined if nothing can be said any more: the rule was changed or removed, or fired again. */
export function episodeState(facts: EpisodeFacts): EpisodeState | undefined {
  const { alert, shows, trigger, event, now } = facts;
  if (event && isOver(event, now)) {
    return { kind: 'event_over', value: null, at: event.startsAt ?? overAt(event) };
  }
  const life = trigger && lifeOf(alert, trigger);
  if (!trigger || !life || life === 'another') return undefined;
  const seen = seenSince(facts);
  if (life === 'rearmed') return wentBack(alert, trigger, seen);
  const { newest } = seen;
  if (!newest) return shows;
  if (life === 'judged_by_price') {
    const change = listingChange(alert, newest) ?? priceChange(alert, seen);
    if (change) return keepingTime(shows, change);
  }
  return lowest(alert, shows, seen);
}

/** Whether a message that shows this never changes again. */
export function isFinal({ kind }: EpisodeState, trigger: Trigger | undefined): boolean {
  if (kind === 'event_over') return true;
  return kind === 'went_back' && trigger?.afterFiring === 'wait_for_rearm';
}

/** Whether a message that tells one state needs no edit for the other. Only a new low is told by each of its values. */
export function tellsTheSame(one: EpisodeState, other: EpisodeState): boolean {
  return one.kind === other.kind && (one.value === other.value || one.kind !== 'new_low');
}

function isOver(event: EventFacts, now: number): boolean {
  return (event.startsAt !== undefined && event.startsAt <= now) || isPast(event, now);
}

/**
 * Where the trigger is since the alert. `rearmed`: the episode is over. `judged_by_price`: the trigger waits
 * for no rearm level, so only the price says whether the alert still holds. `another`: the rule was edited,
 * or it fired again, which is told by a new message.
 */
function lifeOf(
  alert: Alert,
  trigger: Trigger,
): 'fired' | 'rearmed' | 'judged_by_price' | 'another' {
  const { generation } = episodeOf(alert);
  const isSame = trigger.series === alert.series && trigger.direction === alert.direction;
  if (!isSame) return 'another';
  if (trigger.afterFiring !== 'wait_for_rearm') {
    return trigger.generation <= generation + 1 ? 'judged_by_price' : 'another';
  }
  if (trigger.generation <= generation) return 'fired';
  // An edit of the rule begins a new generation too. A further alert has a level of its own.
  const isEdited = alert.role === 'main' && trigger.level !== alert.level;
  return isEdited ? 'another' : 'rearmed';
}

interface Seen {
  /** What was seen after the alert and is believed, oldest first. */
  points: readonly Point[];
  newest: Snapshot | undefined;
}

/** A price that jumps is believed only when the next snapshot confirms it, as in matching. */
function seenSince({ alert, shows, snapshots }: EpisodeFacts): Seen {
  const base = currentBaseOf(alert);
  const key = baseKeyOf(base);
  const history = new LoadedHistory();
  const since = snapshots.filter(({ observedAt }) => observedAt > alert.observedAt);
  const [first] = since;
  const known = shows.value ?? alert.base;
  if (first && known > 0 && unitOf(base) === 'price') {
    history.resume(key, { believed: { at: alert.observedAt, value: known }, suspect: null });
  }
  for (const snapshot of since) rememberBases(history, snapshot, [base]);
  return {
    points: history.points(key, alert.observedAt, Number.MAX_SAFE_INTEGER),
    newest: since.at(-1),
  };
}

function currentBaseOf({ series }: Alert): BaseSeries {
  return currentOf(parseSeries(series).base);
}

/** The furthest point back. Without one, the number alone does not show why the trigger re-armed. */
function wentBack(alert: Alert, trigger: Trigger, { points, newest }: Seen): EpisodeState {
  const isDown = wayOf(alert) === 'down';
  const isFurther = (point: Point, than: Point) =>
    isDown ? point.value > than.value : point.value < than.value;
  const [first, ...others] = points;
  const furthest = others.reduce(
    (found, point) => (found && !isFurther(point, found) ? found : point),
    first,
  );
  if (furthest && isBack(alert, trigger, furthest.value)) {
    return { kind: 'went_back', value: furthest.value, at: furthest.at };
  }
  const at = trigger.movedThrough ?? newest?.observedAt ?? alert.observedAt;
  return { kind: 'went_back', value: null, at };
}

/** A window that moved on can re-arm a change although the price did not go back. */
function isBack(alert: Alert, trigger: Trigger, value: number): boolean {
  const { transform } = parseSeries(alert.series);
  if (!transform) return hasPassedRearm(trigger, value);
  const change = changeOf(alert, transform, value);
  return change !== null && !isReached(trigger, change);
}

function changeOf({ baseline }: Alert, transform: Transform, value: number): number | null {
  return baseline === null ? null : remeasure(transform, value, baseline);
}

/** Only alerts of listing rules name listings. @returns undefined while the alert's listing is for sale. */
function listingChange(alert: Alert, newest: Snapshot): EpisodeState | undefined {
  const [told] = alert.listings;
  if (!told) return undefined;
  const { base } = parseSeries(alert.series);
  const now = listingsOf(base, newest).find(({ key }) => key === told.key);
  const { observedAt: at } = newest;
  if (!now) {
    return { kind: 'listing_gone', value: baseValue(currentOf(base), newest), at };
  }
  return isDearer(now, alert) ? { kind: 'went_back', value: now.priceCents, at } : undefined;
}

function isDearer({ priceCents }: ListingMatch, alert: Alert): boolean {
  return !isReached(alert, priceCents);
}

/** Whether the newest price no longer has what the alert told: a new low, a drop since the last alert. */
function priceChange(alert: Alert, { points }: Seen): EpisodeState | undefined {
  const { transform } = parseSeries(alert.series);
  const last = points.at(-1);
  if (alert.listings.length > 0 || !last) return undefined;
  const told = transform ? changeOf(alert, transform, last.value) : last.value;
  if (told === null || isReached(alert, told)) return undefined;
  return { kind: 'went_back', value: last.value, at: last.at };
}

/** The lowest value of the episode, if it is lower than the alert's. */
function lowest(alert: Alert, shows: EpisodeState, { points }: Seen): EpisodeState {
  const isDown = wayOf(alert) === 'down';
  const told: EpisodeState = { kind: 'reached', value: alert.base, at: alert.observedAt };
  const before = shows.kind === 'new_low' ? shows : told;
  if (parseSeries(alert.series).base.kind === 'presence') return before;
  return points.reduce((found, { value, at }) => {
    const isBeyond = isDown ? value < (found.value ?? value) : value > (found.value ?? value);
    return isBeyond ? { kind: 'new_low', value, at } : found;
  }, before);
}

/** Where the number of an alert moved: a change series rises when its price falls. */
export function wayOf(alert: Pick<Alert, 'series' | 'direction' | 'base' | 'baseline'>) {
  const { transform } = parseSeries(alert.series);
  if (!transform) return alert.direction;
  const { measure } = transform;
  if (measure === 'change' || measure === 'change_pct') {
    return alert.base < (alert.baseline ?? alert.base) ? 'down' : 'up';
  }
  return measure.startsWith('drop') || measure === 'below_low' ? 'down' : 'up';
}

/** The time at which a state that is shown already began. */
function keepingTime(shows: EpisodeState, found: EpisodeState): EpisodeState {
  return tellsTheSame(shows, found) ? shows : found;
}
