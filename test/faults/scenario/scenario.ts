// What a seed stands for: the events, who watches them for what and hears of it where, and how many
// rounds of prices there are.
import { Dice } from '../dice.ts';
import { type MarketEvent, rollEvents } from './market.ts';
import { type RuleDocument, rollRule } from './rules.ts';

export interface PlannedChannel {
  kind: 'email' | 'webhook';
  /** An address, or the path of a hook. */
  place: string;
}

export interface PlannedWatch {
  eventId: number;
  rules: RuleDocument[];
  /** Places in the list of channels. */
  channels: number[];
}

export interface Scenario {
  events: MarketEvent[];
  channels: PlannedChannel[];
  watches: PlannedWatch[];
  rounds: number;
}

const channels: PlannedChannel[] = [
  { kind: 'email', place: 'ann@example.com' },
  { kind: 'email', place: 'bob@example.com' },
  { kind: 'webhook', place: '/hook/1' },
  { kind: 'webhook', place: '/hook/2' },
  { kind: 'webhook', place: '/hook/3' },
];

export function rollScenario(seed: number): Scenario {
  const dice = new Dice(seed, 'scenario');
  const events = rollEvents(dice, dice.between(2, 4));
  const watches = Array.from({ length: dice.between(12, 22) }, (_, at): PlannedWatch => {
    // Each event is watched at least once: of one that nobody watches nothing is ever polled.
    const event = events[at] ?? dice.pick(events);
    const first = dice.between(0, channels.length - 1);
    const second = dice.between(0, channels.length - 1);
    return {
      eventId: event.eventId,
      rules: Array.from({ length: dice.between(1, 3) }, () => rollRule(dice, event)),
      channels: dice.chance(0.4) ? [...new Set([first, second])] : [first],
    };
  });
  return { events, channels, watches, rounds: dice.between(5, 8) };
}
