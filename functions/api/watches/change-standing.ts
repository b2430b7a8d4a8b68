// The standing of a rule about a change as words: how far the number is from its baseline, and what the rule
// asks for.
import { coveredText, moneyText, shareText, valueText } from '#shared/delivery/message/figures.ts';
import { baselineText, extremeWords } from '#shared/delivery/message/window-text.ts';
import { leastCoverageMs } from '#shared/rules/coverage.ts';
import type { AnyChangeRule, ChangeRule, ExtremeRule } from '#shared/rules/language/rule.ts';
import { readChange } from '#shared/rules/language/subject.ts';
import { centsOf } from '#shared/rules/units.ts';
import { HOUR_MS, type SpanName } from '#shared/rules/window.ts';
import { percentWords } from '#shared/rules/words/words.ts';
import type { Compared } from './compared.ts';

const MINUTE_MS = 60_000;

/** ", 10% below the high of the last 24 hours ($100); your rule asks for a drop of 15%". */
export function changeStanding(compared: Compared, rule: ChangeRule): string {
  const { way, by } = readChange(rule);
  const isCount = rule.metric === 'total_listings_active';
  const amount = (value: number) =>
    isCount ? valueText('count', value) : moneyText(centsOf(value));
  const least = by.min_amount === undefined ? '' : ` and at least ${amount(by.min_amount)}`;
  const size = by.percent === undefined ? amount(by.amount ?? 0) : percentWords(by.percent);
  const asked = `; your rule asks for a ${way} of ${size}${least}`;
  const window = 'window' in rule.from ? rule.from.window : undefined;
  const silence = window ? silenceWords(compared, window, rule.min_history_hours) : '';
  return `${distanceWords(compared, fromText(compared, rule), isCount)}${asked}${silence}`;
}

/** ", 2.2% below the snapshot before ($92); your rule asks for any change". */
export function anyChangeStanding(compared: Compared, rule: AnyChangeRule): string {
  const { min_percent, min_amount } = rule;
  const least = min_percent === undefined ? '' : percentWords(min_percent);
  const size = min_amount === undefined ? least : moneyText(centsOf(min_amount));
  const asked = size === '' ? 'any change' : `a change of ${size} or more`;
  return `${distanceWords(compared, 'the snapshot before', false)}; your rule asks for ${asked}`;
}

/** "; a new low within 7 days is $73.07 or less". */
export function extremeStanding(compared: Compared, rule: ExtremeRule): string {
  const { level, isReached } = compared;
  const words = extremeWords(rule.new, rule.within, coveredMs(compared));
  const silence = silenceWords(compared, rule.within, rule.min_history_hours);
  if (level === null) return `; no earlier price is known to compare it with${silence}`;
  if (isReached) return `, ${words}${silence}`;
  const way = rule.new === 'low' ? 'less' : 'more';
  const asked = level > 0 ? `is ${moneyText(level)} or ${way}` : 'is not possible at these prices';
  return `; ${words} ${asked}${silence}`;
}

function fromText(compared: Compared, { from }: ChangeRule): string {
  const { trigger } = compared;
  switch (from.of) {
    case 'previous_snapshot':
      return 'the snapshot before';
    case 'watch_start':
      return 'the start of the watch';
    case 'last_alert':
      return trigger?.memory.firings.length ? 'the last alert' : 'the start of the watch';
    default:
      return baselineText(from.of, from.window, coveredMs(compared));
  }
}

/** ", 10% below the last alert ($100)". */
function distanceWords({ reading, trigger, spec }: Compared, from: string, isCount: boolean) {
  const base = reading?.base ?? null;
  const kept = trigger?.memory.baseline ?? null;
  const baseline = spec.relative === null ? (reading?.baseline ?? null) : kept;
  if (base === null || baseline === null) return '; no earlier value is known to compare it with';
  const told = valueText(isCount ? 'count' : 'price', baseline);
  if (base === baseline) return `, the same as ${from}`;
  const way = base < baseline ? 'below' : 'above';
  const share =
    baseline === 0
      ? 'up from none at'
      : `${shareText(Math.abs(base - baseline) / baseline)} ${way}`;
  return `, ${share} ${from}${baseline === 0 ? '' : ` (${told})`}`;
}

function coveredMs({ reading }: Compared): number | undefined {
  if (!reading || reading.windowSince === null) return undefined;
  return reading.observedAt - reading.windowSince;
}

/** "; it is silent until 84 hours are known (26 hours now)"; empty if the window covers enough. */
function silenceWords(compared: Compared, window: SpanName, hours: number | undefined): string {
  const leastMs = hours === undefined ? leastCoverageMs(window) : hours * HOUR_MS;
  const covered = coveredMs(compared) ?? 0;
  if (covered >= leastMs || leastMs < MINUTE_MS) return '';
  const least = leastMs < 2 * HOUR_MS ? coveredText(leastMs) : `${leastMs / HOUR_MS} hours`;
  return `; it is silent until ${least} are known (${coveredText(covered)} now)`;
}
