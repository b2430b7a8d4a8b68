// The rules of a run's watches: every kind that stats can answer, near the expected prices.
import type { Dice } from '../dice.ts';
import { type MarketEvent, zones } from './market.ts';

export type RuleDocument = Record<string, unknown>;

type Kind = 'level' | 'change' | 'any_change' | 'extreme' | 'supply';
const kinds: Record<Kind, number> = { level: 8, change: 3, any_change: 1, extreme: 1, supply: 2 };

/** Zone prices, as in market.ts, so that levels are near the prices. */
const centre: Record<string, number> = { Floor: 2.6, 'Lower Bowl': 1.45, 'Upper Deck': 1.03 };

export function rollRule(dice: Dice, event: MarketEvent): RuleDocument {
  const kind = dice.weigh<Kind>(kinds);
  const rule = rollers[kind](dice, event);
  const more = {
    ...(dice.chance(0.12) && { confirmations: 2 }),
    ...(dice.chance(0.08) && { cool_down_minutes: 3 }),
    ...(dice.chance(0.06) && { at_most_per_day: 2 }),
    ...(dice.chance(0.08) && canRearm(rule) && { on_no_data: 'clear' }),
    ...(dice.chance(0.1) && {
      all_of: [{ type: 'supply', metric: 'total_listings_active', at_or_above: 7 }],
    }),
  };
  return { ...rule, ...more, ...rollRecovery(dice, rule) };
}

/** The API refuses it for rules that stay armed, and for windows. */
function rollRecovery(dice: Dice, { type, from }: RuleDocument): RuleDocument {
  const of = typeof from === 'object' && from !== null ? Reflect.get(from, 'of') : undefined;
  const canTell = type === 'level' || type === 'supply' || of === 'watch_start';
  return canTell && dice.chance(0.35) ? { tell_recovery: true } : {};
}

/** The API refuses `clear` for a rule that always stays armed. */
function canRearm({ type, from }: RuleDocument): boolean {
  const of = typeof from === 'object' && from !== null ? Reflect.get(from, 'of') : undefined;
  const isArmed = type === 'any_change' || type === 'extreme';
  return !isArmed && of !== 'previous_snapshot' && of !== 'last_alert';
}

/** A rule about a single number: a level, or a number of listings. */
export function rollNumberRule(dice: Dice, event: MarketEvent): RuleDocument {
  const rule = dice.chance(0.25) ? rollers.supply(dice, event) : rollers.level(dice, event);
  return { ...rule, ...rollRecovery(dice, rule) };
}

/** The same without further steps: its truth can be checked later. */
export function rollPlainRule(dice: Dice, event: MarketEvent): RuleDocument {
  const { repeat_every_further_percent: _none, ...rule } = rollNumberRule(dice, event);
  return rule;
}

/** A run takes minutes, far less than the half of a window that must be known by default. */
const runHistory = { min_history_hours: 0.01 };

const rollers: Record<Kind, (dice: Dice, event: MarketEvent) => RuleDocument> = {
  level: (dice, event) => {
    const { subject, price } = rollSubject(dice, event);
    const side = dice.pick(['at_or_below', 'below', 'at_or_above', 'above']);
    return {
      type: 'level',
      ...subject,
      [side]: dollars(price * (0.8 + 0.4 * dice.roll())),
      ...(dice.chance(0.2) && { rearm_percent: dice.pick([0, 1, 8]) }),
      ...(dice.chance(0.25) && { repeat_every_further_percent: dice.pick([2, 5]) }),
    };
  },
  change: (dice, event) => {
    const way = dice.pick(['drops_by', 'rises_by']);
    // The API refuses the other edge: no value is below the low of its own window.
    const edge = way === 'drops_by' ? 'high' : 'low';
    const from = dice.pick([
      { of: 'previous_snapshot' },
      { of: edge, window: '1h' },
      { of: 'median', window: '1h' },
      { of: 'start', window: '6h' },
      { of: 'last_alert' },
      { of: 'watch_start' },
    ]);
    const by = { percent: dice.pick([5, 10, 15, 25]) };
    const history = 'window' in from ? runHistory : {};
    return { type: 'change', ...rollSubject(dice, event).subject, [way]: by, from, ...history };
  },
  any_change: (dice, event) => ({
    type: 'any_change',
    ...rollSubject(dice, event).subject,
    min_percent: dice.pick([5, 10, 20]),
    at_most_per_day: dice.between(3, 20),
  }),
  extreme: (dice, event) => ({
    type: 'extreme',
    ...rollSubject(dice, event).subject,
    new: dice.pick(['low', 'high']),
    within: dice.pick(['1h', '24h', 'ever']),
    ...runHistory,
  }),
  supply: (dice) => ({
    type: 'supply',
    [dice.pick(['at_or_below', 'at_or_above'])]: dice.between(6, 11),
  }),
};

/** A metric that moves with the market, and its approximate value. */
function rollSubject(dice: Dice, { basePrice }: MarketEvent) {
  const metric = dice.pick(['get_in', 'get_in', 'median_price', 'avg_price']);
  if (dice.chance(0.35)) {
    const zone = dice.pick(zones);
    return { subject: { metric, zone }, price: basePrice * (centre[zone] ?? 1) };
  }
  const factor = metric === 'get_in' ? 1.02 : 1.7;
  const isPair = metric === 'get_in' && dice.chance(0.2);
  return {
    subject: { metric, ...(isPair && { min_quantity: 2 }) },
    price: basePrice * factor,
  };
}

function dollars(price: number): number {
  return Math.round(price * 100) / 100;
}
