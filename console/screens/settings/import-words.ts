// What the rows of a file do, or would do, in words.

const outcomes: Readonly<Record<string, string>> = {
  created: 'made',
  updated: 'changed',
  changed: 'changed',
  skipped: 'left as they are',
  unchanged: 'is so already',
  already_there: 'is there already',
  refused: 'refused',
  not_reached: 'no time was left',
  would_be_created: 'would be made',
  would_be_updated: 'would be changed',
};

export function outcomeWords(outcome: string): string {
  return outcomes[outcome] ?? outcome.replaceAll('_', ' ');
}

/** `2 would be made, 1 refused`; an outcome that no row has is left out. */
export function countWords(counts: Readonly<Record<string, unknown>>): string {
  return Object.keys(outcomes)
    .flatMap((name) => {
      const amount = counts[name];
      return typeof amount === 'number' && amount > 0 ? [`${amount} ${outcomeWords(name)}`] : [];
    })
    .join(', ');
}

/** The lines of a file by their numbers, as it has them; a long one is cut. */
export function linesOf(text: string): (line: number) => string {
  const lines = text.split(/\r\n|\n|\r/);
  return (line) => {
    const found = lines[line - 1] ?? '';
    return found.length > 120 ? `${found.slice(0, 119)}…` : found;
  };
}

/** The type of a file that the API reads; undefined for another. */
export function typeOfFile(name: string): 'text/csv' | 'application/json' | undefined {
  if (/\.json$/i.test(name)) return 'application/json';
  return /\.(csv|tsv|txt)$/i.test(name) ? 'text/csv' : undefined;
}
