// The keys of the board, and what each does, for the board itself and its help.
import type { ListedWatch } from '../../api/calls.ts';

export interface KeyRow {
  keys: readonly string[];
  does: string;
}

export const boardKeys: readonly KeyRow[] = [
  { keys: ['j', 'k'], does: 'next and previous watch' },
  { keys: ['Enter'], does: 'open the event' },
  { keys: ['e'], does: 'edit the watch' },
  { keys: ['x'], does: 'select, or take out of the selection' },
  { keys: ['a'], does: 'select all that are shown, or none' },
  { keys: ['s'], does: 'snooze for a day' },
  { keys: ['p'], does: 'pause, or resume' },
  { keys: ['u'], does: 'undo the newest change' },
  { keys: ['n'], does: 'new watch' },
  { keys: ['/'], does: 'search' },
  { keys: ['?'], does: 'this help' },
];

/** Whether a key belongs to what the person writes in, or to the browser. */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.metaKey || event.ctrlKey || event.altKey) return true;
  const { target } = event;
  if (!(target instanceof HTMLElement)) return false;
  return target.closest('input:not([type=checkbox]), textarea, select, dialog') !== null;
}

/** Whether Enter presses the link or the button that has the focus. */
export function isPressing({ key, target }: KeyboardEvent): boolean {
  return key === 'Enter' && target instanceof HTMLElement && target.closest('a, button') !== null;
}

/** The position after a move by `j` or `k`, within the list. */
export function moved(position: number, by: number, rows: readonly ListedWatch[]): number {
  return Math.min(rows.length - 1, Math.max(0, position + by));
}
