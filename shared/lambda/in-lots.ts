// Runs work on many items with a limit on parallel items.

/** Runs `work` on every item, `size` at a time, and returns the results in the items' order. */
export async function inLots<Item, Answer>(
  items: readonly Item[],
  size: number,
  work: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let start = 0; start < items.length; start += size) {
    answers.push(...(await Promise.all(items.slice(start, start + size).map(work))));
  }
  return answers;
}
