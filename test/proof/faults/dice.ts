// Seeded random numbers: the same seed and name give the same numbers in the same order.
import { createHash } from 'node:crypto';

export class Dice {
  readonly #seed: string;
  #rolls = 0;
  #pool = Buffer.alloc(0);

  /** @param name separates these dice from other dice of the same seed. */
  constructor(seed: number, name: string) {
    this.#seed = `${seed}/${name}`;
  }

  /** Uniform in [0, 1). */
  roll(): number {
    if (this.#pool.length < 4) {
      this.#pool = createHash('sha256').update(`${this.#seed}/${this.#rolls}`).digest();
      this.#rolls += 1;
    }
    const number = this.#pool.readUInt32BE(0);
    this.#pool = this.#pool.subarray(4);
    return number / 2 ** 32;
  }

  /** A whole number from `low` through `high`. */
  between(low: number, high: number): number {
    return low + Math.floor(this.roll() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.roll() < probability;
  }

  /** @throws RangeError when there is nothing to pick from */
  pick<T>(choices: readonly T[]): T {
    const picked = choices[this.between(0, choices.length - 1)];
    if (picked === undefined) throw new RangeError('There is nothing to pick from.');
    return picked;
  }

  /** Picks a name with a probability in proportion to its weight. */
  weigh<Name extends string>(weights: Readonly<Partial<Record<Name, number>>>): Name {
    const entries = Object.entries(weights) as [Name, number][];
    let left = this.roll() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) {
      left -= weight;
      if (left < 0) return name;
    }
    return this.pick(entries)[0];
  }
}
