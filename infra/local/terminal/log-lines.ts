/** Shortens a function's JSON log line to the event and its fields. */

/** Fields that are the same in every line of a function, or that the terminal shows elsewhere. */
const boilerplate = new Set([
  'level',
  'message',
  'timestamp',
  'service',
  'cold_start',
  'sampling_rate',
  'function_arn',
  'function_memory_size',
  'function_name',
  'function_request_id',
]);

const quietLevels = new Set(['INFO', 'DEBUG']);

/** @returns `poll.finished eventId=7 pulls=1`; a line that is no log entry, unchanged */
export function shortenLogLine(line: string): string {
  const entry = parseEntry(line);
  if (!entry) return line;
  const fields = Object.entries(entry)
    .filter(([name]) => !boilerplate.has(name))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const level = String(entry.level);
  return [...(quietLevels.has(level) ? [] : [level]), entry.message, ...fields].join(' ');
}

/** @returns undefined unless the line is a JSON object with a message */
export function parseEntry(line: string): { message: string; level?: unknown } | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const entry = JSON.parse(line);
    return typeof entry.message === 'string' ? entry : undefined;
  } catch {
    return undefined;
  }
}
