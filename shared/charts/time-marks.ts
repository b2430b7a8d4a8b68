// The times below a chart: a few round ones by the chart's own clock.
import { dayText } from './calendar.ts';

export interface TimeMark {
  /** Epoch milliseconds. */
  at: number;
  text: string;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The steps between marks, from the shortest: round minutes, round hours, whole days. */
const steps = [
  ...[5, 10, 15, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 3, 6, 12].map((hours) => hours * hourMs),
  ...[1, 2, 3, 7, 14, 30, 90].map((days) => days * dayMs),
];
const mostMarks = 4;

/** At most four marks in [from, to], epoch milliseconds; none if that is shorter than a step. */
export function timeMarks(from: number, to: number, utcOffsetMinutes: number): TimeMark[] {
  const step = steps.find((stepMs) => (to - from) / stepMs <= mostMarks) ?? to - from + 1;
  const offsetMs = utcOffsetMinutes * minuteMs;
  const marks: TimeMark[] = [];
  // Days are counted back from the newest one, so that the last mark is near the alert.
  const last =
    Math.floor((to + offsetMs) / Math.min(step, dayMs)) * Math.min(step, dayMs) - offsetMs;
  for (let at = last; at >= from; at -= step) {
    marks.unshift({
      at,
      text: step < dayMs ? clockText(at + offsetMs) : dayText(at, utcOffsetMinutes),
    });
  }
  return marks.slice(-mostMarks);
}

/** "6 PM", "2:30 PM"; midnight as the day that begins. */
function clockText(local: number): string {
  const minutes = Math.floor((local % dayMs) / minuteMs);
  if (minutes === 0) return dayText(local, 0);
  const hour = Math.floor(minutes / 60);
  const clock = `${hour % 12 === 0 ? 12 : hour % 12}`;
  const rest = minutes % 60;
  return `${clock}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`} ${hour < 12 ? 'AM' : 'PM'}`;
}
