// Says in words why a feed's next pull is when it is. Pure.
import type { NearestLevel } from './feed-value.ts';
import { chanceToReach } from './reach.ts';

export interface TurnFacts {
  nearest: NearestLevel | undefined;
  /** The standard deviation of the price until the turn, as a logarithm. */
  deviation: number;
  /** The turn, epoch milliseconds. */
  at: number;
  watches: number;
  /** Alerts expected until the turn. */
  alerts: number;
  now: number;
}

/** Such as "about 40 % likely to reach $120 by 14:00 UTC; 12 watches". */
export function whyTurn(facts: TurnFacts): string {
  const { nearest, watches, alerts, deviation } = facts;
  const who = `${watches} ${watches === 1 ? 'watch' : 'watches'}`;
  const by = timeOf(facts);
  if (!nearest) return `about ${countOf(alerts)} expected by ${by}; ${who}`;
  const chance = chanceToReach(nearest.distance / Math.max(1e-6, deviation));
  return `about ${percentOf(chance)} likely to reach ${nearest.name} by ${by}; ${who}`;
}

function percentOf(chance: number): string {
  if (chance < 0.01) return '1 %';
  return `${chance > 0.1 ? Math.round(chance * 20) * 5 : Math.round(chance * 100)} %`;
}

function countOf(alerts: number): string {
  if (alerts < 0.1) return '0.1 alerts or fewer';
  return `${alerts < 10 ? alerts.toFixed(1) : Math.round(alerts)} alerts`;
}

/** The time of day, with the date unless it is the same day in UTC. */
function timeOf({ at, now }: TurnFacts): string {
  const text = new Date(at).toISOString();
  const isToday = text.slice(0, 10) === new Date(now).toISOString().slice(0, 10);
  return `${isToday ? '' : `${text.slice(0, 10)} `}${text.slice(11, 16)} UTC`;
}
