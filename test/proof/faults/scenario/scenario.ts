// The scenario of a seed: the events, the watches and their channels, the number of price rounds,
// and the offset of the marketplace's clock.
import { Dice } from '../dice.ts';
import { rollHearing } from './hearing.ts';
import { rollListingRule } from './listing-rules.ts';
import { type MarketEvent, oddEventId, rollEvents } from './market.ts';
import { channels, type OwnerName, type PlannedOwner } from './owners.ts';
import { type RuleDocument, rollNumberRule, rollPlainRule, rollRule } from './rules.ts';

export interface PlannedWatch {
  owner: OwnerName;
  eventId: number;
  rules: RuleDocument[];
  /** Indexes in the list of channels. */
  channels: number[];
}

export interface Scenario {
  events: MarketEvent[];
  owners: PlannedOwner[];
  watches: PlannedWatch[];
  rounds: number;
  /** Rounds in which one item of the odd owner is damaged. */
  damages: number[];
  /** Rounds in which an event is moved to another day, and how many days after now that is. */
  postponements: { round: number; eventId: number; daysAhead: number }[];
  /** The event that begins within hours, and is postponed only after it has begun. */
  lateEventId: number | undefined;
  /** How far the marketplace's clock is ahead of ours, milliseconds. */
  marketAheadMs: number;
}

const minuteMs = 60_000;

/** @param now the run's start time, epoch milliseconds. */
export function rollScenario(seed: number, now: number): Scenario {
  const dice = new Dice(seed, 'scenario');
  const events = rollEvents(dice, dice.between(2, 4));
  const rounds = dice.between(5, 8);
  const anyRound = () => dice.between(1, rounds);
  const counts = { main: dice.between(8, 14), calm: dice.between(3, 5), slow: 2, odd: 3, chat: 6 };
  const watches = Object.entries(counts).flatMap(([owner, count]) =>
    Array.from({ length: count }, (_, at) => rollWatch(dice, events, owner as OwnerName, at)),
  );
  return {
    events,
    watches,
    owners: [
      { name: 'main' },
      { name: 'calm', hearing: rollHearing(dice, now) },
      { name: 'slow' },
      { name: 'odd' },
      { name: 'chat' },
    ],
    rounds,
    damages: dice.chance(0.6) ? Array.from({ length: dice.between(1, 2) }, anyRound) : [],
    lateEventId: dice.chance(0.25) ? dice.pick(events.slice(0, -1)).eventId : undefined,
    postponements: Array.from({ length: dice.between(0, 2) }, () => ({
      ...{ round: anyRound(), eventId: dice.pick(events).eventId },
      daysAhead: dice.pick([3, 59, 61, 90, 400]),
    })),
    marketAheadMs: dice.chance(0.5) ? 0 : dice.between(-12, 12) * minuteMs,
  };
}

function rollWatch(
  dice: Dice,
  events: readonly MarketEvent[],
  owner: OwnerName,
  at: number,
): PlannedWatch {
  const event = eventFor(dice, events, owner, at);
  return {
    owner,
    eventId: event.eventId,
    rules: Array.from({ length: dice.between(1, 3) }, () => rollRuleOf(dice, event, owner)),
    channels: rollChannels(dice, owner),
  };
}

/** Each event is watched at least once, because an unwatched event is never polled. */
function eventFor(
  dice: Dice,
  events: readonly MarketEvent[],
  owner: OwnerName,
  at: number,
): MarketEvent {
  const shared = events.filter(({ eventId }) => eventId !== oddEventId);
  const [oddOne] = events.slice(-1);
  if (owner === 'odd' && at === 0 && oddOne) return oddOne;
  return (owner === 'main' && shared[at]) || dice.pick(shared);
}

function rollRuleOf(dice: Dice, event: MarketEvent, owner: OwnerName): RuleDocument {
  if (owner === 'chat') return rollNumberRule(dice, event);
  if (event.hasListingRules && dice.chance(0.3)) return rollListingRule(dice, event);
  return owner === 'calm' ? rollPlainRule(dice, event) : rollRule(dice, event);
}

function rollChannels(dice: Dice, owner: OwnerName): number[] {
  const own = channels.flatMap((channel, place) => (channel.owner === owner ? [place] : []));
  const first = dice.pick(own);
  return dice.chance(0.4) ? [...new Set([first, dice.pick(own)])] : [first];
}
