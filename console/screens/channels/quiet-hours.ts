// Quiet hours as a bar of 24 hours has them: two minutes of the day, and what lies between.

export interface QuietSpan {
  /** Minutes of the day, 0 to 1,439; over midnight if `to` is the smaller. */
  from: number;
  to: number;
}

export const dayMinutes = 1_440;

/** `22:00` in minutes; `24:00` is midnight. */
export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return (hours * 60 + minutes) % dayMinutes;
}

/** `22:00` of minutes, which may lie outside of the day. */
export function timeOf(minutes: number): string {
  const inDay = ((minutes % dayMinutes) + dayMinutes) % dayMinutes;
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(inDay / 60))}:${two(inDay % 60)}`;
}

/** The parts of the bar that are quiet, as shares of the day: one, or two when midnight is inside. */
export function quietParts({ from, to }: QuietSpan): { start: number; length: number }[] {
  const part = (start: number, end: number) => ({
    start: start / dayMinutes,
    length: (end - start) / dayMinutes,
  });
  if (from < to) return [part(from, to)];
  return [part(from, dayMinutes), part(0, to)].filter(({ length }) => length > 0);
}

/** `9 h`, `7 h 30 min`. */
export function quietLength({ from, to }: QuietSpan): string {
  const minutes = (to - from + dayMinutes) % dayMinutes;
  const rest = minutes % 60;
  return [`${Math.floor(minutes / 60)} h`, ...(rest === 0 ? [] : [`${rest} min`])].join(' ');
}

/**
 * An edge moved to a time, a quarter of an hour being the smallest step of the bar.
 * Equal edges would mean always or never, so the edge stops a step before the other one.
 */
export function moveEdge(
  span: QuietSpan,
  edge: keyof QuietSpan,
  minutes: number,
  step = 15,
): QuietSpan {
  const wanted = Math.round(minutes / step) * step;
  const inDay = ((wanted % dayMinutes) + dayMinutes) % dayMinutes;
  const other = edge === 'from' ? span.to : span.from;
  if (inDay !== other) return { ...span, [edge]: inDay };
  const back = span[edge] < inDay ? -step : step;
  return { ...span, [edge]: (inDay + back + dayMinutes) % dayMinutes };
}
