// A cache for slow functions of plain values, because the deliveries of one snapshot share most of their
// words. Bounded in size; results must depend only on the arguments.

type Plain = string | number | undefined;

/**
 * The same function with a cache of at most `most` results. Arguments that print alike (1 and '1', undefined
 * and '') must have the same result.
 */
export function remembered<A extends readonly Plain[], R>(
  compute: (...args: A) => R,
  most = 500,
): (...args: A) => R {
  const answers = new Map<Plain, { answer: R }>();
  return (...args) => {
    const key = args.length === 1 ? args[0] : args.join('\0');
    const known = answers.get(key);
    if (known) return known.answer;
    // Usually another snapshot comes next, which uses none of the old results.
    if (answers.size >= most) answers.clear();
    const answer = compute(...args);
    answers.set(key, { answer });
    return answer;
  };
}
