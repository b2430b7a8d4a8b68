// The median of a window that moves forward. Keeps the window's values sorted, so that a step costs what it
// adds and removes and not a sort of the whole window.
import { medianOfSorted } from './transform.ts';

/** The values of a series in (after, through], oldest first; times epoch milliseconds. */
export type ValuesIn = (after: number, through: number) => readonly number[];

/** The values of the past must stay as they are; after a change, use a new one. */
export class MovingMedian {
  #sorted: number[] = [];
  #after = Number.NEGATIVE_INFINITY;
  /** The end of the window of the last call. */
  #through = Number.NEGATIVE_INFINITY;

  /** Whether a value at this time can come without making the kept ones wrong. */
  canTake(at: number): boolean {
    return at > this.#through;
  }

  /** @returns null for a window without values. */
  of(after: number, through: number, valuesIn: ValuesIn): number | null {
    if (after < this.#after || through < this.#through || after >= this.#through) {
      this.#sorted = [...Float64Array.from(valuesIn(after, through)).sort()];
    } else {
      for (const value of valuesIn(this.#after, after)) this.#sorted.splice(this.#place(value), 1);
      for (const value of valuesIn(this.#through, through)) {
        this.#sorted.splice(this.#place(value), 0, value);
      }
    }
    this.#after = after;
    this.#through = through;
    return medianOfSorted(this.#sorted);
  }

  /** The index of the first kept value that is not below this one. */
  #place(value: number): number {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#sorted[middle] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
