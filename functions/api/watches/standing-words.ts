// The standing of a rule as a sentence: what the number is now, and what it has to be.
import { moneyText, pointsText, shareText, valueText } from '#shared/delivery/message/figures.ts';
import type { LevelRule, ListingRule, Rule } from '#shared/rules/language/rule.ts';
import { withFeeCents } from '#shared/rules/money.ts';
import { subjectWords } from '#shared/rules/words/condition-words.ts';
import { capitalize } from '#shared/rules/words/words.ts';
import { anyChangeStanding, changeStanding, extremeStanding } from './change-standing.ts';
import type { Compared } from './compared.ts';

/** "Get-in is $92.50, $12.50 above your level of $80". */
export function standingWords(compared: Compared): string {
  const { reading, rule } = compared;
  if (!reading) return 'No snapshot of this event is stored yet';
  const now = nowWords(compared);
  if (now === null) return nothingWords(rule);
  return `${now}${restWords(compared)}`;
}

function restWords(compared: Compared): string {
  const { rule } = compared;
  switch (rule.type) {
    case 'level':
    case 'listing':
      return levelWords(compared, rule);
    case 'supply':
      return rule.becomes === undefined
        ? sideWords(compared)
        : becomesWords(rule.becomes, compared);
    case 'fill_rate':
      return sideWords(compared);
    case 'change':
      return changeStanding(compared, rule);
    case 'any_change':
      return anyChangeStanding(compared, rule);
    case 'extreme':
      return extremeStanding(compared, rule);
  }
}

function nothingWords(rule: Rule): string {
  if (rule.type === 'listing') return 'No listing matches now';
  if (rule.type === 'fill_rate') return 'No fill rate at the newest snapshot';
  if (rule.type === 'supply') return 'No number of listings at the newest snapshot';
  return `No ${subjectWords(rule)} at the newest snapshot`;
}

/** "Get-in of Floor is $92.50", "200 active listings"; null for no value. */
function nowWords({ rule, reading, spec }: Compared): string | null {
  const isListing = rule.type === 'listing';
  const base = (isListing ? reading?.standing : reading?.base) ?? null;
  if (base === null) return null;
  const fee = feeWords(base, spec.feeBps);
  if (isListing) return `The cheapest match is ${moneyText(base)}${fee}`;
  if (rule.type === 'fill_rate') return `Fill rate is ${valueText('rate', base)}`;
  if (rule.type === 'supply') return supplyNow(rule, base);
  if (rule.type === 'change' && rule.metric === 'total_listings_active') {
    return listingsText(base, 'active listing');
  }
  return `${capitalize(subjectWords(rule))} is ${moneyText(base)}${fee}`;
}

function feeWords(cents: number, feeBps: number): string {
  if (feeBps === 0) return '';
  const total = moneyText(withFeeCents(cents, feeBps));
  return ` (${total} with your ${shareText(feeBps / 10_000)} fee)`;
}

/** A zone's stats say only whether anything is for sale there. */
function supplyNow(rule: Extract<Rule, { type: 'supply' }>, base: number): string {
  if (rule.zone !== undefined) {
    return `${base === 0 ? 'No listing' : 'There are listings'} in ${rule.zone}`;
  }
  return listingsText(base, rule.matching === undefined ? 'active listing' : 'matching listing');
}

function listingsText(count: number, noun: string): string {
  return `${count === 0 ? 'No' : valueText('count', count)} ${noun}${count === 1 ? '' : 's'}`;
}

function levelWords(compared: Compared, rule: LevelRule | ListingRule): string {
  const { value, level, isReached, spec } = compared;
  if (value === null || level === null) return '';
  const isStrict = rule.type === 'level' && (rule.below ?? rule.above) !== undefined;
  if (!isStrict) return sideWords(compared);
  const way = spec.direction === 'down' ? 'below' : 'above';
  const asked = spec.direction === 'down' ? level + 1 : level - 1;
  if (isReached) return `, ${way} your level of ${moneyText(asked)}`;
  if (value === asked) return `, at your level of ${moneyText(asked)} and not ${way} it`;
  return sideWords({ ...compared, level: asked });
}

/** ", $12.50 above your level of $80"; ", 20 fewer than your level of 220". */
function sideWords({ spec, unit, value, level, isReached }: Compared): string {
  if (value === null || level === null) return '';
  const asked = valueText(unit, level);
  const isDown = spec.direction === 'down';
  if (isReached) return `, at or ${isDown ? 'below' : 'above'} your level of ${asked}`;
  const away = Math.abs(value - level);
  if (unit === 'count') {
    return `, ${valueText(unit, away)} ${isDown ? 'more' : 'fewer'} than your level of ${asked}`;
  }
  const words = unit === 'rate' ? pointsText(away) : moneyText(away);
  return `, ${words} ${isDown ? 'above' : 'below'} your level of ${asked}`;
}

function becomesWords(becomes: 'available' | 'sold_out', { isReached }: Compared): string {
  if (becomes === 'available') {
    return isReached
      ? '; your rule speaks when the first one appears again'
      : '; your rule waits for the first one';
  }
  return isReached
    ? '; your rule speaks when the last one is gone again'
    : '; your rule waits until none is left';
}
