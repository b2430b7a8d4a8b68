// One rule at one look: its number, how far it was from its level, its state, and why it spoke or not.
import type { Alert } from '#shared/alerts/alert.ts';
import type { Decided, ReplayedLook } from '#shared/backtest/replay-looks.ts';
import type { Look } from '#shared/polling/look.ts';
import { compileRule } from '#shared/rules/compile.ts';
import { createTrigger, type Trigger } from '#shared/rules/trigger.ts';
import { triggersWantedBy } from '#shared/watchlist/apply-watch-change.ts';
import type { SetAside } from '#shared/watchlist/set-aside.ts';
import type { Watch, WatchRule } from '#shared/watchlist/watch.ts';
import { type RuleStatus, standingOf } from '../watches/rule-standing.ts';
import { shareOf } from '../watches/watch-status.ts';
import type { LookReason, Reason } from './look-reasons.ts';
import { whySilent } from './why-silent.ts';

export interface LookRow {
  /** The rule's place in its watch. */
  index: number;
  /** Epoch milliseconds. */
  observedAt: number;
  /** The poll that brought the snapshot; unknown for snapshots of earlier releases. */
  poll: Look | undefined;
  isEvaluated: boolean;
  status: RuleStatus;
  reason: Reason;
  /** The alert that was raised. */
  alert: Alert | undefined;
}

export interface RowInput {
  watch: Watch;
  rule: WatchRule;
  index: number;
  look: ReplayedLook;
  /** The rule's alerts of this snapshot. */
  alerts: readonly Alert[];
  poll: Look | undefined;
  /** Whether the watch was paused when we looked. */
  isPaused: boolean;
  timeZone: string;
  eventStartsAt: number | null;
}

/** Reads the look while its readings are at hand. */
export function readRow(input: RowInput): LookRow {
  const { rule, index, look, alerts, poll } = input;
  const [spec] = compileRule(rule.rule);
  const main = look.decided.get(rule.triggerIds[0] ?? '');
  const { observedAt } = look.snapshot;
  const reading = { ...look.readings.of(spec?.series ?? ''), observedAt };
  const trigger = main?.trigger ?? madeOf(input);
  const { ruleId } = rule;
  return {
    ...{ index, observedAt, poll },
    isEvaluated: main?.decision.kind !== 'waits' || alerts.length > 0,
    status: standingOf({ ruleId, rule: rule.rule, trigger, reading }),
    reason: reasonOf(input, main),
    alert: alerts.find(({ role }) => role !== 'recovery') ?? alerts[0],
  };
}

/** The trigger of a rule that has ended. */
function madeOf({ watch, rule }: RowInput): Trigger | undefined {
  const [wanted] = triggersWantedBy(watch, rule);
  return wanted && createTrigger(wanted.spec, wanted.identity, Date.parse(watch.createdAt));
}

function reasonOf(input: RowInput, main: Decided | undefined): Reason {
  const { watch, rule, look, alerts, timeZone, eventStartsAt } = input;
  const { observedAt } = look.snapshot;
  const plain = (code: LookReason): Reason => ({ code, values: {} });
  if (alerts.some(({ role }) => role !== 'recovery')) return plain('alerted');
  if (alerts.length > 0) return plain('recovered');
  if (!main) {
    const isOver = eventStartsAt !== null && observedAt >= eventStartsAt;
    return plain(isOver ? 'event_over' : 'rule_expired');
  }
  if (input.isPaused) return plain('paused');
  const fault = faultOf(watch, rule);
  if (fault && (input.poll?.at ?? observedAt) >= fault.since) {
    return { code: 'set_aside', values: { fault: fault.reason } };
  }
  return whySilent({ rule: rule.rule, look, main, timeZone });
}

function faultOf({ setAside = {} }: Watch, { triggerIds }: WatchRule): SetAside | undefined {
  const id = triggerIds.find((each) => Object.hasOwn(setAside, each));
  return id === undefined ? undefined : setAside[id];
}

/** Looks at which the rule waited for its level, or had reached it and stayed silent. */
const missable: ReadonlySet<LookReason> = new Set<LookReason>([
  ...(['not_reached', 'cool_down', 'daily_limit', 'needs_snapshots', 'implausible'] as const),
  ...(['not_confirmed', 'history_short', 'condition_not_met', 'too_early'] as const),
]);

/** The look that came nearest to an alert; of several, the newest. */
export function closestMiss(rows: readonly LookRow[]): LookRow | undefined {
  let best: LookRow | undefined;
  for (const row of rows) {
    const distance = missable.has(row.reason.code) ? distanceShare(row.status) : null;
    if (distance === null) continue;
    if (!best || distance <= (distanceShare(best.status) ?? distance)) best = row;
  }
  return best;
}

/** In basis points of the level; 0 when it was reached. */
export function distanceShare(status: RuleStatus): number | null {
  const share = shareOf(status);
  return share === null ? null : Math.max(0, share);
}
