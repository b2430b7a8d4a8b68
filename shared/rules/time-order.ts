// Finds items by time in a list that is in time order.

/** The items from a time through another, epoch milliseconds. */
export function sliceTimes<T>(
  items: readonly T[],
  from: number,
  through: number,
  timeOf: (item: T) => number,
) {
  return items.slice(
    firstIndexFrom(items, from, timeOf),
    firstIndexFrom(items, through + 1, timeOf),
  );
}

/** The index of the first item at `time` or later, of items in time order. */
export function firstIndexFrom<T>(
  items: readonly T[],
  time: number,
  timeOf: (item: T) => number,
): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && timeOf(item) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
