// Remembers what was read for a moment, so that work on many things at once reads what they share once.

interface BriefMemoryOptions<Answer> {
  /** How old a remembered answer may be, milliseconds. */
  forMs: number;
  now: () => number;
  /** Which answers may be remembered. @default all */
  keeps?: (answer: Answer) => boolean;
}

/**
 * A reader that asks once for each key in a stretch of time; whoever asks meanwhile waits for the same
 * answer. A failure is not remembered.
 */
export function rememberBriefly<Key, Answer>(
  read: (key: Key) => Promise<Answer>,
  { forMs, now, keeps = () => true }: BriefMemoryOptions<Answer>,
): (key: Key) => Promise<Answer> {
  let since = Number.NEGATIVE_INFINITY;
  let answers = new Map<Key, Promise<Answer>>();

  return function readOnce(key) {
    if (now() - since >= forMs) {
      since = now();
      answers = new Map();
    }
    const known = answers.get(key);
    if (known) return known;
    const kept = answers;
    const asked = read(key).then(
      (answer) => {
        if (!keeps(answer)) kept.delete(key);
        return answer;
      },
      (error) => {
        kept.delete(key);
        throw error;
      },
    );
    kept.set(key, asked);
    return asked;
  };
}
