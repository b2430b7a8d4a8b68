// Records a firing that its rule's limits suppressed, as an alert that is not sent: the message it would
// have had, and the reason.
import { type Alert, type RuleLimit, silencedAlertIdOf } from '#shared/alerts/alert.ts';
import { freezeAlert } from '#shared/alerts/freeze-alert.ts';
import type { AlertStore } from '#shared/dynamo/alerts.ts';
import type { Point } from '#shared/rules/history.ts';
import type { SilencedFiring } from '#shared/rules/match.ts';
import { parseSeries } from '#shared/rules/series.ts';
import { isReached, type Trigger, wasAlreadyTrue } from '#shared/rules/trigger.ts';
import type { LimitReason } from '#shared/rules/trigger-limits.ts';
import type { EventFacts } from '#shared/watchlist/event-facts.ts';
import type { Watch } from '#shared/watchlist/watch.ts';

/** A suppressed firing at a snapshot; `previous` is the number at the previous snapshot. */
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

/** The use case: one conditional write of one item, so that a repeat changes nothing. */
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

/** If the level was already reached at the previous snapshot, the silence was recorded there. */
function isOnRecord({ trigger, previous }: Silence): boolean {
  if (trigger.state !== 'armed' || trigger.afterFiring === 'stay_armed') return false;
  return tellsCrossings(trigger) && previous !== null && isReached(trigger, previous.value);
}

/** The previous number shows whether this is a new crossing; for a rule that alerts every time, it always is. */
function tellsCrossings({ afterFiring, condition, gates, series }: Trigger): boolean {
  if (afterFiring === 'stay_armed') return true;
  return condition === null && gates.confirmations === 1 && parseSeries(series).transform === null;
}
