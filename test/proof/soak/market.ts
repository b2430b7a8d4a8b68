/**
 * A market at a steady pace: in turn, each event's price swings to the other end, so that every refresh
 * makes the same number of alerts. It keeps to its schedule, however long a call takes.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { CloudFacts } from './cloud-messages.ts';
import { swing } from './watchlist.ts';

export interface Market {
  eventIds: readonly number[];
  /** Lists every event, at the middle of the swing. */
  open(): Promise<void>;
  /** Refreshes one event after the other at an unchanged price, until stopped. */
  rest(everyMs: number, calledOff: AbortSignal): Promise<void>;
  /** Swings one event after the other, for as long as asked. @returns how many refreshes. */
  swing(pace: { everyMs: number; forMs: number }, signal: AbortSignal): Promise<number>;
}

export function createMarket({ marketplace, operatorKey }: CloudFacts, eventCount: number): Market {
  const eventIds = Array.from({ length: eventCount }, (_, index) => 4_000 + index);
  const isLow = new Map<number, boolean>();
  let turn = 0;

  /** Refreshes the next event at its scheduled time, counted from `startedAt`. */
  async function takeTurn(
    dueAt: number,
    priceOf: (eventId: number) => number,
    signal: AbortSignal,
  ) {
    const dueInMs = dueAt - performance.now();
    if (dueInMs > 0) await wait(dueInMs, undefined, { signal });
    signal.throwIfAborted();
    const eventId = eventIds[turn % eventIds.length] ?? 0;
    turn += 1;
    await handIn({ listing_sets: [setAt(eventId, priceOf(eventId))] });
  }

  function otherEnd(eventId: number): number {
    const goesLow = !isLow.get(eventId);
    isLow.set(eventId, goesLow);
    return goesLow ? swing.low : swing.high;
  }

  async function handIn(body: object): Promise<void> {
    const answer = await fetch(`${marketplace}/operator/observations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const told = await answer.text();
    if (!answer.ok) throw new Error(`The marketplace refused a price: ${answer.status} ${told}`);
  }

  return {
    eventIds,
    open: () =>
      handIn({
        events: eventIds.map(listed),
        listing_sets: eventIds.map((eventId) => setAt(eventId, swing.middle)),
      }),
    async rest(everyMs, calledOff) {
      const startedAt = performance.now();
      for (let made = 0; !calledOff.aborted; made += 1) {
        await takeTurn(startedAt + made * everyMs, () => swing.middle, calledOff).catch((error) => {
          if (!calledOff.aborted) throw error;
        });
      }
    },
    async swing({ everyMs, forMs }, signal) {
      const startedAt = performance.now();
      const planned = Math.floor(forMs / everyMs);
      for (let made = 0; made < planned; made += 1) {
        await takeTurn(startedAt + made * everyMs, otherEnd, signal);
      }
      return planned;
    },
  };
}

function listed(eventId: number) {
  const inThirtyDays = new Date(Date.now() + 30 * 86_400_000);
  return {
    event_id: eventId,
    sh_event_id: 159_000_000 + eventId,
    event_name: `Visitors ${eventId} at Home`,
    event_date: inThirtyDays.toISOString().slice(0, 10),
    venue: {
      std_venue_id: 7,
      venue_name: 'Madison Square Garden',
      venue_city: 'New York',
      venue_state: 'NY',
    },
  };
}

function setAt(eventId: number, price: number) {
  const seats = { zone: 'Lower Bowl', section: '101', row: 'A', quantity: 2 };
  return { event_id: eventId, listings: [{ listing_id: eventId * 10, ...seats, price }] };
}
