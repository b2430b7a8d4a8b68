// Makes the alert of a firing or a recovery, with the numbers and words of that moment. It writes nothing.
import type { Chart } from '#shared/charts/chart.ts';
import type { Point } from '#shared/rules/history.ts';
import type { Rule } from '#shared/rules/language/rule.ts';
import { parseSeries } from '#shared/rules/series.ts';
import type { Firing } from '#shared/rules/transitions.ts';
import type { Trigger } from '#shared/rules/trigger.ts';
import { ruleSentence } from '#shared/rules/words/sentence.ts';
import type { EventFacts } from '#shared/watchlist/event-facts.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import { type Alert, alertIdOf, recoveryIdOf } from './alert.ts';
import { askedLevelOf } from './asked-level.ts';

/** The firing and its context; `trigger` is its state before the move, `now` in epoch milliseconds. */
export interface News {
  trigger: Trigger;
  firing: Firing;
  alreadyTrue: boolean;
  /** The previous snapshot's number before any transform, in its own unit. */
  previous: Point | null;
  now: number;
  /** Set if the alert may repeat one that was sent before a restore: the moment of the backup, epoch milliseconds. */
  mayRepeatSince?: number | undefined;
}

/** The watch and rule that fired, and the facts of the event. */
export interface NewsOf {
  watch: Watch;
  rule: Rule;
  facts: EventFacts | undefined;
  /** The recent values of the number, if there are enough. */
  chart?: Chart | undefined;
  /** When its promise began (shared/polling/promised-time.ts); undefined if it is not promised. */
  promisedFrom?: number | undefined;
}

/** The alert of a firing. A recovery asks for no quick reaction, so it is never urgent. */
export function freezeAlert(
  news: News,
  { watch, rule, facts, chart, promisedFrom }: NewsOf,
): Alert {
  const { trigger, firing, alreadyTrue, previous, now } = news;
  const { ownerId, watchId, ruleId, eventId, series, direction, feeBps } = trigger;
  const { triggerId, generation, role, value, level, base, baseline } = firing;
  const { isFromNone, withFee, listings, observedAt, coveredMs, isLone } = firing;
  const earlierAt = earlierAtOf(news);
  const isRecovery = role === 'recovery';
  return {
    alertId: (isRecovery ? recoveryIdOf : alertIdOf)(triggerId, generation),
    ...{ ownerId, watchId, ruleId, triggerId, eventId, series, direction, feeBps },
    ...{ role, value, level, base, baseline, isFromNone, withFee, observedAt },
    ...(watch.name !== undefined && { watchName: watch.name }),
    ...(watch.tags !== undefined && watch.tags.length > 0 && { watchTags: watch.tags }),
    ...eventWords(facts, eventId),
    sentence: ruleSentence(rule),
    askedLevel: askedLevelOf(rule),
    isUrgent: !isRecovery && (rule.urgent ?? false),
    listings: [...listings],
    ...(chart && { chart }),
    previousBase: firing.backFrom?.base ?? previous?.value ?? null,
    ...(earlierAt !== undefined && { earlierAt }),
    ...(coveredMs !== null && { coveredMs }),
    ...(isLone && { loneListing: { confirmations: rule.confirmations ?? 1 } }),
    ...(news.mayRepeatSince !== undefined && { mayRepeatSince: news.mayRepeatSince }),
    ...(promisedFrom !== undefined && { promisedFrom }),
    alreadyTrue,
    channelIds: watch.channelIds,
    firedAt: now,
  };
}

/**
 * When the alert's earlier number was seen: the time of the previous snapshot, or of the rule's last alert
 * for a recovery and if the baseline follows alerts. Undefined for the high of a window, which is not the
 * value of one moment.
 */
function earlierAtOf({ trigger, firing, previous }: News): number | undefined {
  const { baseline, role, backFrom } = firing;
  if (backFrom) return backFrom.observedAt;
  if (baseline === null || role === 'no_data') return previous?.at;
  if (trigger.afterFiring === 'follow') return trigger.memory.firings.at(-1);
  const { transform } = parseSeries(trigger.series);
  const isBefore = transform && 'baseline' in transform && transform.baseline.of === 'previous';
  return isBefore && previous?.value === baseline ? previous.at : undefined;
}

function eventWords(facts: EventFacts | undefined, eventId: number) {
  const { name = `Event ${eventId}`, date, time, venueName, venueCity, tmEventId } = facts ?? {};
  return {
    eventName: name,
    ...(date !== undefined && { eventDate: date }),
    ...(time !== undefined && { eventTime: time }),
    ...(venueName !== undefined && { venueName }),
    ...(venueCity !== undefined && { venueCity }),
    ...(tmEventId !== undefined && { tmEventId }),
  };
}
