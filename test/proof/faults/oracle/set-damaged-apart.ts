// Separates the owner whose items were damaged: the others are judged without this owner,
// and this owner is judged by the troubles that the API shows.
import type { Facts } from './judge.ts';

export interface Damaged {
  watchIds: ReadonlySet<string>;
  ruleIds: ReadonlySet<string>;
  /** The event that only these watches are on. */
  eventId: number;
  /** Watches that show a trouble, or that the API says it cannot read. */
  troubled: ReadonlySet<string>;
}

/** @returns the facts of all others, and of the damaged watches if there are any. */
export function setDamagedApart(all: Facts): { facts: Facts; damaged: Facts | undefined } {
  const { damaged } = all;
  if (!damaged) return { facts: all, damaged: undefined };
  const isHit = ({ ruleId }: { ruleId: string }) => damaged.ruleIds.has(ruleId);
  const isOther = ({ eventId }: { eventId: number }) => eventId !== damaged.eventId;
  const withoutEvent = <Value>(values: ReadonlyMap<number, Value>) =>
    new Map([...values].filter(([eventId]) => isOther({ eventId })));
  return {
    facts: {
      ...all,
      due: all.due.filter((alert) => !isHit(alert)),
      raised: all.raised.filter((alert) => !isHit(alert)),
      market: withoutEvent(all.market),
      stored: withoutEvent(all.stored),
      charges: all.charges.filter(isOther),
      noted: all.noted.filter(isOther),
    },
    damaged: { ...all, due: all.due.filter(isHit), raised: all.raised.filter(isHit) },
  };
}
