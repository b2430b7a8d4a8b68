/** Says how long a piece of work still needs, by its pace so far. Does no work itself. */

/** Work of `all` equal parts, `done` of them in `tookMs` milliseconds. */
export interface WorkProgress {
  done: number;
  all: number;
  tookMs: number;
}

/** ", about 12 min left"; empty when nothing is left, or nothing is done to judge by. */
export function timeLeft({ done, all, tookMs }: WorkProgress): string {
  if (done <= 0 || done >= all) return '';
  const seconds = Math.ceil((tookMs / done / 1000) * (all - done));
  const left = seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  return `, about ${left} left`;
}
