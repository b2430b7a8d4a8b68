// The selected rows of the board, by their watches' ids.

/** The selection with or without a watch. */
export function toggled(selected: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(selected);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** The selection with all of these watches; without them, if it has all. */
export function allToggled(
  selected: ReadonlySet<string>,
  watches: readonly { id: string }[],
): ReadonlySet<string> {
  const next = new Set(selected);
  const hasAll = watches.every(({ id }) => next.has(id));
  for (const { id } of watches) hasAll ? next.delete(id) : next.add(id);
  return next;
}
