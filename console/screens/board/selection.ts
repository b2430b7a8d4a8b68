// The selected rows of the board, by their watches' ids.

/** The selection with or without a watch. */
export function toggled(selected: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(selected);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** Selects all of these watches; takes them out, if all are selected. */
export function toggleAll(
  selected: { value: ReadonlySet<string> },
  watches: readonly { id: string }[],
): void {
  const next = new Set(selected.value);
  const hasAll = watches.every(({ id }) => next.has(id));
  for (const { id } of watches) hasAll ? next.delete(id) : next.add(id);
  selected.value = next;
}
