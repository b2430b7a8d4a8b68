// The state of one rule in a few words.
import type { ListedWatch } from '../../api/calls.ts';
import { shortTime } from '../../words/times.ts';
import { codeWords, nearPercent, type StateLook } from '../board/row-words.ts';

export type RuleOnEvent = NonNullable<ListedWatch['standing']>['rules'][number];

interface RuleState {
  look: StateLook;
  text: string;
}

/** What keeps the watch silent comes first; then what the rule does. */
export function ruleStateOf(
  { status, snoozed_until: snoozedUntil, trouble, bought }: ListedWatch,
  rule: RuleOnEvent | undefined,
  { now, zone }: { now: number; zone: string },
): RuleState {
  if (status === 'ended') return { look: 'armed', text: bought ? 'bought' : 'over' };
  if (status === 'paused') return { look: 'wait', text: 'paused' };
  if (snoozedUntil && Date.parse(snoozedUntil) > now) {
    return { look: 'wait', text: `snoozed to ${shortTime(Date.parse(snoozedUntil), now, zone)}` };
  }
  const silent = trouble.find(({ severity, expected }) => severity === 'silent' && !expected);
  if (silent) return { look: 'trouble', text: codeWords(silent.code) };
  if (rule?.state === 'fired') return { look: 'fired', text: 'fired' };
  if (rule?.state === 'pending') return { look: 'near', text: 'confirming' };
  const { level, distance } = rule ?? { level: null, distance: null };
  if (!level || distance === null) return { look: 'armed', text: 'armed' };
  if (distance === 0) return { look: 'near', text: 'reached' };
  const isNear = (distance / level) * 100 <= nearPercent;
  return isNear ? { look: 'near', text: 'near' } : { look: 'armed', text: 'armed' };
}
