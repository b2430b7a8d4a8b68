// Answers of a slow function kept for who asks the same again: the deliveries of one snapshot share most
// of their words. Keeps no more than so many, and nothing that depends on anything but its arguments.

type Plain = string | number | undefined;

/**
 * The same function of plain values, which keeps up to `most` of its answers, the latest. Two that print
 * alike (1 and '1', undefined and '') must mean the same to it.
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
    // The next ones come from another snapshot as a rule, so that none of the old ones is asked for again.
    if (answers.size >= most) answers.clear();
    const answer = compute(...args);
    answers.set(key, { answer });
    return answer;
  };
}
