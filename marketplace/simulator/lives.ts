/**
 * The lives of listings: each slot of an event has one listing after another, which starts, is
 * repriced and ends at known ticks. Computed from the seed, so any tick can be computed alone.
 */
import { between, hash, unit } from './random.ts';

/** How a life ended; it determines the slot's next listing. */
export type Fate = 'sold' | 'relisted' | 'relisted-anew' | 'id-reused' | 'withdrawn';

export interface Life {
  generation: number;
  /** First tick at which it is listed. */
  from: number;
  /** First tick at which it is no longer listed. */
  until: number;
}

/** Finds lives by slot and remembers the place in each slot, because ticks mostly increase. */
export interface Lives {
  /** The life listed at the tick, or undefined in a gap between two. */
  at(slot: number, tick: number): Life | undefined;
}

const origin = -200;

/** @param seed seed of the event on one marketplace */
export function createLives(seed: number, slots: number): Lives {
  const generations = new Int32Array(slots);
  const starts = new Int32Array(slots).fill(origin);
  return {
    at: (slot, tick) => {
      if (tick < (starts[slot] ?? origin)) {
        generations[slot] = 0;
        starts[slot] = origin;
      }
      let generation = generations[slot] ?? 0;
      let start = starts[slot] ?? origin;
      for (;;) {
        const from = start + gapBefore(seed, slot, generation);
        const until = from + lengthOf(seed, slot, generation);
        if (tick < until) {
          generations[slot] = generation;
          starts[slot] = start;
          return tick >= from ? { generation, from, until } : undefined;
        }
        start = until;
        generation += 1;
      }
    },
  };
}

function gapBefore(seed: number, slot: number, generation: number): number {
  if (generation === 0) return between(0, 150, seed, 20, slot);
  return between(1, 16, seed, 21, slot, generation);
}

function lengthOf(seed: number, slot: number, generation: number): number {
  return between(12, 120, seed, 22, slot, generation);
}

export function fateOf(seed: number, slot: number, generation: number): Fate {
  const drawn = unit(seed, 23, slot, generation);
  if (drawn < 0.58) return 'sold';
  if (drawn < 0.74) return 'relisted';
  if (drawn < 0.86) return 'relisted-anew';
  return drawn < 0.91 ? 'id-reused' : 'withdrawn';
}

/** The generation that this one's seats come from: a relisting keeps them. */
export function seatsGeneration(seed: number, slot: number, generation: number): number {
  let seats = generation;
  while (seats > 0) {
    const fate = fateOf(seed, slot, seats - 1);
    if (fate !== 'relisted' && fate !== 'relisted-anew') break;
    seats -= 1;
  }
  return seats;
}

/**
 * The generation that this one's id comes from: a relisting keeps it, or the marketplace reuses it.
 */
export function idGeneration(seed: number, slot: number, generation: number): number {
  let id = generation;
  while (id > 0) {
    const fate = fateOf(seed, slot, id - 1);
    if (fate !== 'relisted' && fate !== 'id-reused') break;
    id -= 1;
  }
  return id;
}

/** The listing's first quantity, and the tick from which a part of it is sold, if any. */
export function quantityOf(
  seed: number,
  slot: number,
  life: Life,
): { start: number; partlySoldFrom: number } {
  const quantities = [1, 2, 2, 2, 2, 3, 4, 4, 4, 6];
  const start = quantities[hash(seed, 24, slot, life.generation) % quantities.length] ?? 2;
  const partly = start >= 4 && unit(seed, 25, slot, life.generation) < 0.4;
  const middle = Math.floor((life.from + life.until) / 2);
  return { start, partlySoldFrom: partly ? middle : life.until };
}
