/** Random numbers as a function of coordinates: the same seed and place give the same number. */

const golden = 0x9e3779b9;

/** 32 well-mixed bits of the coordinates. */
export function hash(...coordinates: number[]): number {
  let state = 0x2545f491;
  for (const coordinate of coordinates) {
    state = mix((state ^ (coordinate | 0)) + golden);
  }
  return state >>> 0;
}

function mix(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad);
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
  return bits ^ (bits >>> 15);
}

/** A number in [0, 1). */
export function unit(...coordinates: number[]): number {
  return hash(...coordinates) / 2 ** 32;
}

/** An integer in [from, to]. */
export function between(from: number, to: number, ...coordinates: number[]): number {
  return from + (hash(...coordinates) % (to - from + 1));
}

/** One of the options. */
export function pick<T>(options: readonly [T, ...T[]], ...coordinates: number[]): T {
  return options[hash(...coordinates) % options.length] ?? options[0];
}
