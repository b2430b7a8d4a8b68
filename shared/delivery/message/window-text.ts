// Says how much of a rule's window was really watched.
import { coversWhole } from '#shared/rules/coverage.ts';
import { type SpanName, windowWords } from '#shared/rules/window.ts';
import { coveredText } from './figures.ts';

/** "the 26 hours watched"; undefined if the known values cover the whole window, or that is unknown. */
export function watchedText(window: SpanName, coveredMs: number | undefined): string | undefined {
  if (coveredMs === undefined || coversWhole(window, coveredMs)) return undefined;
  return `the ${coveredText(coveredMs)} watched`;
}

/** "the high of the last 24 hours", "the high of the 13 hours watched". */
export function baselineText(of: string, window: SpanName, coveredMs: number | undefined): string {
  const watched = watchedText(window, coveredMs);
  if (watched !== undefined) return `the ${of} of ${watched}`;
  return `the ${of} ${window === 'ever' ? 'ever seen' : `of the last ${windowWords(window)}`}`;
}

/** "a new low within 7 days", "a new low within the 26 hours watched", "the lowest of the 40 days watched". */
export function extremeWords(
  which: 'low' | 'high',
  window: SpanName,
  coveredMs: number | undefined,
): string {
  const watched = watchedText(window, coveredMs);
  if (window !== 'ever') return `a new ${which} within ${watched ?? windowWords(window)}`;
  return watched === undefined ? `the ${which}est ever seen` : `the ${which}est of ${watched}`;
}
