// Records a firing that its rule's limits suppressed, as an alert that is not sent: the message it would
// have had, and the reason. One crossing is one record, however many snapshots it lasts.
import { type Alert, type RuleLimit, silencedAlertIdOf } from '#shared/alerts/alert.ts';
import { freezeAlert } from '#shared/alerts/freeze-alert.ts';
import type { AlertStore } from '#shared/dynamo/alerts.ts';
import type { Point } from '#shared/rules/history.ts';
import type { MatchInput, SilencedFiring } from '#shared/rules/match.ts';
import { parseSeries } from '#shared/rules/series.ts';
import { isPlainLevel, wasStoppedAt } from '#shared/rules/silence.ts';
import { SnapshotReadings } from '#shared/rules/snapshot-readings.ts';
import type { Snapshot } from '#shared/rules/sources/sources.ts';
import { isReached, wasAlreadyTrue } from '#shared/rules/trigger.ts';
import type { LimitReason } from '#shared/rules/trigger-limits.ts';
import type { EventFacts } from '#shared/watchlist/event-facts.ts';
import type { Watch } from '#shared/watchlist/watch.ts';

/** A suppressed firing at a snapshot; `previous` is the number at the previous snapshot. */
export interface Silence extends SilencedFiring {
  previous: Point | null;
  now: number;
  step: Pick<MatchInput, 'history' | 'otherFeeds' | 'eventStartsAt'>;
  /** The newest snapshots of the feed before this one, oldest first; at most `limit`. */
  readEarlier: (limit: number) => Promise<Snapshot[]>;
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
    if (await isOnRecord(silence)) return;
    const watch = await deps.findWatch(trigger.watchId);
    const rule = watch?.rules.find(({ ruleId }) => ruleId === trigger.ruleId)?.rule;
    if (watch?.status !== 'active' || !rule) return;
    const facts = await deps.findEventFacts(trigger.eventId);
    const news = { trigger, firing, alreadyTrue: wasAlreadyTrue(trigger), previous, now };
    const alert: Alert = {
      ...freezeAlert(news, { watch, rule, facts }),
      alertId: silencedAlertIdOf(firing),
      unsentReason: reasons[reason],
    };
    await deps.alerts.create(alert);
  };
}

/** Snapshots without a value are skipped, up to this many. */
const mostEarlier = 20;

/** If a limit stopped the trigger at the previous snapshot too, the silence was recorded by then. */
async function isOnRecord(silence: Silence): Promise<boolean> {
  const { trigger, previous, readEarlier } = silence;
  // Each one-off event is a crossing of its own, and a new trigger has nothing on record.
  if (trigger.state === 'new' || trigger.afterFiring === 'stay_armed') return false;
  const { base, transform, noValue } = parseSeries(trigger.series);
  const isKept = noValue === 'none' && base.kind !== 'presence';
  if (isKept && isPlainLevel(trigger, transform !== null)) {
    return previous !== null && isReached(trigger, previous.value);
  }
  return (
    isStoppedIn(silence, await readEarlier(1)) ??
    isStoppedIn(silence, await readEarlier(mostEarlier)) ??
    false
  );
}

/** As the newest of these snapshots with a value tells; undefined if none has one. */
function isStoppedIn({ trigger, step }: Silence, earlier: Snapshot[]): boolean | undefined {
  const { eventStartsAt } = step;
  for (const snapshot of earlier.toReversed()) {
    const { observedAt } = snapshot;
    const readings = new SnapshotReadings({ ...step, snapshot });
    const wasStopped = wasStoppedAt(trigger, { readings, observedAt, eventStartsAt });
    if (wasStopped !== undefined) return wasStopped;
  }
  return undefined;
}
