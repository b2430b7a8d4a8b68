// Bounds how much of one run's work is under way at once.

/** Does the work for each item, at most `lanes` of them at once; answers in the items' order. */
export async function inLanes<Item, Answer>(
  lanes: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  const left = items.entries();
  const lane = async () => {
    for (const [index, item] of left) answers[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(lanes, items.length) }, lane));
  return answers;
}
