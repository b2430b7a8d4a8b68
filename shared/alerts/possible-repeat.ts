// Whether an alert may repeat one that was sent before the tables were restored: then what was raised and sent since the
// moment of the backup may be unknown. Pure; the message and the API say it.
import { mostConfirmations, type Trigger } from '#shared/rules/trigger.ts';

/** Of an evaluation whose cursor was restored. Times are epoch milliseconds. */
export interface PossibleRepeats {
  /** The tables are those of this moment. */
  after: number;
  /** From this moment on, nothing was sent before the restore. */
  through: number;
  /**
   * The number of further snapshots, from after `through`, whose alerts may be repeats too: a feed without its past
   * values first sees there what it saw before.
   */
  snapshots: number;
}

/** @returns what an evaluation keeps when its tables were restored. */
export function possibleRepeats(after: number, through: number): PossibleRepeats {
  // A trigger that waits for confirmations fires that many snapshots later.
  return { after, through, snapshots: mostConfirmations };
}

/** Whether the trigger's firing at a snapshot may be a repeat; `trigger` is its state before the firing. */
export function mayRepeat(
  { movedThrough, state, createdAt }: Pick<Trigger, 'movedThrough' | 'state' | 'createdAt'>,
  observedAt: number,
  repeats: PossibleRepeats | undefined,
): boolean {
  if (repeats === undefined || createdAt > repeats.through) return false;
  if (observedAt <= repeats.through) return true;
  const isAsRestored = movedThrough === null || movedThrough <= repeats.after;
  return isAsRestored || state === 'pending';
}

/** What is left after a snapshot was matched; undefined when no further alert may be a repeat. */
export function repeatsLeft(
  repeats: PossibleRepeats | undefined,
  observedAt: number,
): PossibleRepeats | undefined {
  if (repeats === undefined || observedAt <= repeats.through) return repeats;
  const snapshots = repeats.snapshots - 1;
  return snapshots > 0 ? { ...repeats, snapshots } : undefined;
}
