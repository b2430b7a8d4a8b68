// Days and times of a chart in words, by the chart's own clock: without Intl, which takes a while to load.

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** "Nov 27": the day of a moment (epoch ms). */
export function dayText(at: number, utcOffsetMinutes: number): string {
  const local = new Date(at + utcOffsetMinutes * minuteMs);
  return `${months[local.getUTCMonth()]} ${local.getUTCDate()}`;
}

/** "7 days", "26 hours", "minute". */
export function spanText(spanMs: number): string {
  if (spanMs >= 2 * dayMs) return counted(spanMs / dayMs, 'day');
  if (spanMs >= 2 * hourMs) return counted(spanMs / hourMs, 'hour');
  return counted(Math.max(1, spanMs / minuteMs), 'minute');
}

function counted(amount: number, unit: string): string {
  const whole = Math.round(amount);
  return whole === 1 ? unit : `${whole} ${unit}s`;
}
