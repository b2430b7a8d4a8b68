/** Estimates the remaining time of a piece of work by its pace so far. */

/** `done` of `all` equal parts took `tookMs` milliseconds. */
export interface WorkProgress {
  done: number;
  all: number;
  tookMs: number;
}

/** ", about 12 min left"; empty when no part is left, or none is done yet. */
export function timeLeft({ done, all, tookMs }: WorkProgress): string {
  if (done <= 0 || done >= all) return '';
  const seconds = Math.ceil((tookMs / done / 1000) * (all - done));
  const left = seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  return `, about ${left} left`;
}
