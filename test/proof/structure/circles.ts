// Finds import cycles: files that reach each other, as strongly connected components (Tarjan's algorithm).

/** @returns each set of two or more files that import each other, directly or through others. */
export function circlesOf(importsOf: ReadonlyMap<string, readonly string[]>): string[][] {
  const indexOf = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();
  const circles: string[][] = [];

  function visit(file: string): void {
    const index = indexOf.size;
    indexOf.set(file, index);
    lowest.set(file, index);
    stack.push(file);
    onStack.add(file);
    for (const next of importsOf.get(file) ?? []) {
      if (!importsOf.has(next)) continue;
      if (!indexOf.has(next)) {
        visit(next);
        lower(file, lowest.get(next));
      } else if (onStack.has(next)) {
        lower(file, indexOf.get(next));
      }
    }
    if (lowest.get(file) === index) closePart(file);
  }

  function lower(file: string, to = Number.POSITIVE_INFINITY): void {
    lowest.set(file, Math.min(lowest.get(file) ?? to, to));
  }

  function closePart(file: string): void {
    const part = stack.splice(stack.indexOf(file));
    for (const each of part) onStack.delete(each);
    if (part.length > 1) circles.push(part.sort());
  }

  for (const file of importsOf.keys()) if (!indexOf.has(file)) visit(file);
  return circles;
}
