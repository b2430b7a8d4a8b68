// Records a firing that a limit of its rule kept back, as an alert that goes nowhere: what it would have
// said, and why it did not.
import { type Alert, type RuleLimit, silencedAlertIdOf } from '#shared/alerts/alert.ts';
import { freezeAlert } from '#shared/alerts/freeze-alert.ts';
import type { AlertStore } from '#shared/dynamo/alerts.ts';
import type { LimitReason } from '#shared/rules/gates.ts';
import type { Point } from '#shared/rules/history.ts';
import type { SilencedFiring } from '#shared/rules/match.ts';
import { parseSeries } from '#shared/rules/series.ts';
import { isReached, type Trigger, wasAlreadyTrue } from '#shared/rules/trigger.ts';
import type { EventFacts } from '#shared/watchlist/event-facts.ts';
import type { Watch } from '#shared/watchlist/watch.ts';

/** A firing kept back at a snapshot; `previous` is the number at the snapshot before. */
export interface Silence extends SilencedFiring {
  previous: Point | null;
  now: number;
}

export type RecordSilence = (silence: Silence) => Promise<void>;

interface RecordSilenceDeps {
  findWatch: (watchId: string) => Promise<Watch | undefined>;
  findEventFacts: (eventId: number) => Promise<EventFacts | undefined>;
  alerts: Pick<AlertStore, 'create'>;
}

const reasons: Record<LimitReason, RuleLimit> = { cooling_down: 'cool_down', daily_limit: 'cap' };

/** The use case: one conditional write of one item, so that doing it again changes nothing. */
export function createRecordSilence(deps: RecordSilenceDeps): RecordSilence {
  return async function recordSilence(silence) {
    const { trigger, firing, reason, previous, now } = silence;
    if (isOnRecord(silence)) return;
    const watch = await deps.findWatch(trigger.watchId);
    const rule = watch?.rules.find(({ ruleId }) => ruleId === trigger.ruleId)?.rule;
    if (watch?.status !== 'active' || !rule) return;
    const facts = await deps.findEventFacts(trigger.eventId);
    const news = { trigger, firing, alreadyTrue: wasAlreadyTrue(trigger), previous, now };
    const alert: Alert = {
      ...freezeAlert(news, { watch, rule, facts }),
      alertId: silencedAlertIdOf(firing, { perArming: !tellsCrossings(trigger) }),
      unsentReason: reasons[reason],
    };
    await deps.alerts.create(alert);
  };
}

/** A level that was reached at the snapshot before has been kept silent there, and recorded. */
function isOnRecord({ trigger, previous }: Silence): boolean {
  if (trigger.state !== 'armed' || trigger.afterFiring === 'stay_armed') return false;
  return tellsCrossings(trigger) && previous !== null && isReached(trigger, previous.value);
}

/** Whether the number before says if this is a new crossing; where each time is news, it always is. */
function tellsCrossings({ afterFiring, condition, gates, series }: Trigger): boolean {
  if (afterFiring === 'stay_armed') return true;
  return condition === null && gates.confirmations === 1 && parseSeries(series).transform === null;
}
