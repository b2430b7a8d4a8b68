// What a row of the board says about its watch.
import type { ListedWatch } from '../../api/calls.ts';
import { decimal, inUnit } from '../../words/amounts.ts';
import { shortTime } from '../../words/times.ts';

export type RuleOfRow = ListedWatch['rules'][number]['rule'];

/** How a state looks: one of the colors of the desk. */
export type StateLook = 'armed' | 'fired' | 'near' | 'wait' | 'trouble';

export interface StateWords {
  look: StateLook;
  text: string;
  /** The whole sentence, for a title. */
  title: string;
}

/** Watches within so many percent of their level are near; GET /v1/watches counts the same. */
export const nearPercent = 10;

/** The rule that is nearest to its level, with its standing; the first one if none is known. */
export function nearestRule(watch: ListedWatch) {
  const { standing } = watch;
  const id = standing?.nearest_rule ?? watch.rules[0]?.id;
  return {
    rule: watch.rules.find((each) => each.id === id),
    standing: standing?.rules.find((each) => each.id === id),
  };
}

/** `any seat`, `Lower Bowl`, `101-105, 2 together`. */
export function whereOf(rule: RuleOfRow | undefined): string {
  const fields = (rule ?? {}) as Readonly<Record<string, unknown>>;
  const { zone, zones, sections, rows, min_quantity: together, metric } = fields;
  const places = [zone, zones, sections].flatMap((each) => each ?? []).map(String);
  const isPair = metric === 'get_in_qty2plus';
  const parts = [
    ...(places.length > 0 ? [places.join(', ')] : []),
    ...(Array.isArray(rows) && rows.length > 0 ? [`rows ${rows.join(', ')}`] : []),
    ...(typeof together === 'number' && together > 1 ? [`${together} together`] : []),
    ...(isPair ? ['2 together'] : []),
  ];
  return parts.length === 0 ? 'any seat' : parts.join(', ');
}

/** Whether the watch is active and its nearest rule within 10 percent of its level. */
export function isNear({ status, standing }: ListedWatch): boolean {
  const distance = standing?.distance_percent ?? null;
  return status === 'active' && distance !== null && distance <= nearPercent;
}

/** What matters most about a watch, in a few words. */
export function stateOf(watch: ListedWatch, now: number, zone: string): StateWords {
  const { standing, trouble } = watch;
  const silent = trouble.find(({ severity }) => severity === 'silent');
  if (silent && !silent.expected) {
    return { look: 'trouble', text: codeWords(silent.code), title: silent.text };
  }
  const own = ownStateOf(watch, now, zone);
  const [degraded] = trouble.filter(({ severity }) => severity === 'degraded');
  if (degraded && own.look === 'armed') {
    return { look: 'wait', text: codeWords(degraded.code), title: degraded.text };
  }
  return { ...own, title: standing ? (nearestRule(watch).standing?.words ?? own.text) : own.text };
}

function ownStateOf(watch: ListedWatch, now: number, zone: string): Omit<StateWords, 'title'> {
  const { standing, status, snoozed_until: snoozedUntil, bought } = watch;
  if (status === 'ended') return { look: 'armed', text: bought ? 'bought' : 'over' };
  if (status === 'paused') return { look: 'wait', text: 'paused' };
  if (snoozedUntil && Date.parse(snoozedUntil) > now) {
    return { look: 'wait', text: `snoozed to ${shortTime(Date.parse(snoozedUntil), now, zone)}` };
  }
  const firedAt = standing?.last_alert?.fired_at;
  if (standing?.state === 'fired' && firedAt) {
    return { look: 'fired', text: `fired ${shortTime(Date.parse(firedAt), now, zone)}` };
  }
  if (standing?.state === 'pending') return { look: 'near', text: 'confirming' };
  const distance = standing?.distance_percent ?? null;
  if (distance === null) return { look: 'armed', text: 'no price yet' };
  if (distance === 0) return { look: 'fired', text: 'reached' };
  return { look: isNear(watch) ? 'near' : 'armed', text: `${decimal(distance)}% to go` };
}

/** `no usable channel`. */
export function codeWords(code: string): string {
  return code.replaceAll('_', ' ');
}

/** The level of the nearest rule: `$120`, `20%`, `new low $118.49`; its first words for a rule without one. */
export function levelOf(watch: ListedWatch): string {
  const { rule, standing } = nearestRule(watch);
  if (standing && standing.level !== null) {
    const level = inUnit(standing.level, standing.unit);
    return rule?.rule.type === 'extreme' ? `new ${rule.rule.new} ${level}` : level;
  }
  return rule ? codeWords(rule.rule.type) : '–';
}

/** How far the way to the level is done, 0 to 1: nothing at 50 percent and beyond. */
export function doneOf({ standing }: ListedWatch): number {
  const distance = standing?.distance_percent ?? null;
  return distance === null ? 0 : Math.max(0, 1 - distance / 50);
}
