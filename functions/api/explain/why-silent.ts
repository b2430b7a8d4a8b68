// The one reason of a rule at one look, from the decision of its main trigger.

import type { Decided, ReplayedLook } from '#shared/backtest/replay-looks.ts';
import { coveredText, momentText, valueText } from '#shared/delivery/message/figures.ts';
import type { Rule } from '#shared/rules/language/rule.ts';
import { compileConditions } from '#shared/rules/language/subject.ts';
import { withFeeCents } from '#shared/rules/money.ts';
import { parseSeries } from '#shared/rules/series.ts';
import { unitOf } from '#shared/rules/sources/sources.ts';
import type { Trigger, TriggerCondition } from '#shared/rules/trigger.ts';
import { DAY_MS } from '#shared/rules/window.ts';
import { conditionWords, filterWords, subjectWords } from '#shared/rules/words/condition-words.ts';
import type { LookReason, Reason } from './look-reasons.ts';

export interface WhyInput {
  rule: Rule;
  look: ReplayedLook;
  /** The rule's main trigger at the look. */
  main: Decided;
  /** The owner's, for times in sentences. */
  timeZone: string;
}

const minuteMs = 60_000;

function plain(code: LookReason): Reason {
  return { code, values: {} };
}

/** The reason of a decision; `main.outcome` is not `alerted`. */
export function whySilent(input: WhyInput): Reason {
  const { main } = input;
  if (main.outcome === 'missing') return plain('unknown');
  const { decision } = main;
  switch (decision.kind) {
    case 'waits':
      return plain('not_evaluated');
    case 'failed':
      return { code: 'set_aside', values: { fault: messageOf(decision.error) } };
    case 'fire':
      return plain('unknown');
    case 'arm':
      return plain('first_look');
    case 'silence':
      return plain('already_true');
    case 'pend':
      return decision.reason === 'implausible' ? plain('implausible') : whyPending(decision.next);
    case 'disarm':
      return plain('not_confirmed');
    case 'rearm':
      return { code: 'rearmed', values: { rearm: rearmWords(main.trigger) } };
    case 'retire':
      return plain(decision.reason === 'expired' ? 'rule_expired' : 'event_over');
    case 'hold':
      return whyHeld(input, decision.reason);
  }
}

type Held = Extract<Decided['decision'], { kind: 'hold' }>['reason'];

function whyHeld(input: WhyInput, reason: Held): Reason {
  const { main, rule } = input;
  const { trigger } = main;
  switch (reason) {
    case 'not_reached':
    case 'implausible':
    case 'too_early':
    case 'already_announced':
      return plain(reason);
    case 'not_rearmed':
      return { code: 'told_already', values: { rearm: rearmWords(trigger) } };
    case 'no_baseline':
      return plain('nothing_to_compare');
    case 'no_value':
      return hasNumber(input)
        ? plain('nothing_to_compare')
        : { code: 'no_value', values: { what: missingWords(rule) } };
    case 'older_than_last_move':
    case 'older_than_trigger':
      return plain('out_of_order');
    case 'cooling_down':
      return { code: 'cool_down', values: { until: coolDownEnd(input) } };
    case 'daily_limit':
      return { code: 'daily_limit', values: dailyValues(input) };
    case 'conditions_not_met':
      return whyNotMet(input);
  }
}

function hasNumber({ look, main: { trigger } }: WhyInput): boolean {
  return look.readings.of(trigger.series).base !== null;
}

function whyPending({ gates, memory }: Trigger): Reason {
  const needed = gates.confirmations - (memory.pending?.count ?? 0);
  return { code: 'needs_snapshots', values: { needed: String(needed) } };
}

/** "$82.40": a price with the rule's fee, a change, or a count. */
export function rearmWords({ series, rearmLevel, feeBps }: Trigger): string {
  const { base, transform } = parseSeries(series);
  if (transform?.measure.endsWith('_pct')) return valueText('rate', rearmLevel);
  const unit = unitOf(base);
  return valueText(unit, unit === 'price' ? withFeeCents(rearmLevel, feeBps) : rearmLevel);
}

/** All triggers of a rule share its limits. */
function firingsOf({ look, main }: WhyInput): number[] {
  const { ruleId } = main.trigger;
  const own = [...look.decided.values()].filter(({ trigger }) => trigger.ruleId === ruleId);
  const times = own.flatMap(({ trigger }) => trigger.memory.firings);
  return [...new Set(times)].sort((a, b) => a - b);
}

function coolDownEnd(input: WhyInput): string {
  const last = firingsOf(input).at(-1) ?? input.look.snapshot.observedAt;
  return momentText(last + input.main.trigger.gates.coolDownMs, input.timeZone);
}

function dailyValues(input: WhyInput) {
  const most = input.main.trigger.gates.atMostPerDay ?? 1;
  const oldest = firingsOf(input).at(-most) ?? input.look.snapshot.observedAt;
  return { most: String(most), until: momentText(oldest + DAY_MS, input.timeZone) };
}

/** "no listing in Lower Bowl". */
function missingWords(rule: Rule): string {
  if (rule.type === 'listing') return `no listing matched${filterWords(rule)}`;
  if (rule.type === 'fill_rate') return 'no fill rate';
  if (rule.type === 'supply') return 'no number of listings';
  return rule.zone === undefined
    ? `no ${subjectWords(rule)}, nothing was for sale`
    : `no ${subjectWords(rule)}, nothing was for sale there`;
}

function whyNotMet(input: WhyInput): Reason {
  const { rule, look, main } = input;
  const short = shortWindow(main.trigger.condition, input);
  if (short) return short;
  const { all_of: allOf = [], any_of: anyOf = [] } = rule;
  const fails = allOf.find((each) => {
    const compiled = compileConditions([each], [], []);
    return compiled !== null && !look.readings.holds(compiled);
  });
  const words = fails ? conditionWords(fails) : `any of (${anyOf.map(conditionWords).join('; ')})`;
  return { code: 'condition_not_met', values: { condition: words } };
}

/** The rule's own window is the first of its conditions (compile.ts). */
function shortWindow(condition: TriggerCondition | null, { look }: WhyInput): Reason | undefined {
  const parts = condition && 'all' in condition ? condition.all : [condition];
  for (const part of parts) {
    if (!part || !('series' in part)) continue;
    if (parseSeries(part.series).transform?.measure !== 'span' || look.readings.holds(part))
      continue;
    const covered = (look.readings.of(part.series).value ?? 0) * minuteMs;
    const values = { covered: coveredText(covered), needed: coveredText(part.level * minuteMs) };
    return { code: 'history_short', values };
  }
  return undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** "$152 against $150, Tue 14:10". */
export function missWords(
  { unit, value, level }: { unit: Parameters<typeof valueText>[0]; value: number; level: number },
  { at, timeZone }: { at: number; timeZone: string },
): string {
  const text = (number: number) => valueText(unit, number);
  const day = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hour12: false,
  }).format(at);
  return `${text(value)} against ${text(level)}, ${day}`;
}
