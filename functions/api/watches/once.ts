// Reads each thing once, however often it is asked for.

/** The read, whose answers are kept by its arguments; failures are kept too. */
export function once<Args extends readonly unknown[], Found>(
  read: (...args: Args) => Promise<Found>,
): (...args: Args) => Promise<Found> {
  const asked = new Map<string, Promise<Found>>();
  return (...args) => {
    const key = JSON.stringify(args);
    const found = asked.get(key) ?? read(...args);
    asked.set(key, found);
    return found;
  };
}
