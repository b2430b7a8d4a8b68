// Damaged rows in a list: beside the whole rows, each with what is readable of it and the names of its damaged
// fields, so that no row is missing without a word.
import * as z from 'zod';
import type { ListedRow, OwnedPage } from '#shared/dynamo/owner-index.ts';
import { pageJson } from './page.ts';
import { problem } from './problem.ts';

/** What each damaged row has, whatever list it is in. */
export const damagedFields = {
  id: z.string(),
  damaged: z
    .array(z.string())
    .meta({ description: 'The stored fields that can’t be read, by their names' }),
};

export const damagedWords =
  'Rows whose stored item is damaged, in the place of this page: what is readable, null for the rest. They are not in `data`, and count as rows of the page. An operator finds the cause in the logs.';

/** A row as a page shows it: whole, or what is readable of it. */
export type ShownRow<Whole, Damaged> =
  | { whole: Whole; damaged?: undefined }
  | { whole?: undefined; damaged: Damaged };

/** Turns a row of a store's list into the page's. */
export async function showRow<Row, Whole, Damaged>(
  { row, unreadable }: ListedRow<Row>,
  show: {
    whole: (row: Row) => Promise<Whole | undefined> | Whole | undefined;
    damaged: (readable: Partial<Row>, damaged: string[]) => Damaged | undefined;
  },
): Promise<ShownRow<Whole, Damaged> | undefined> {
  if (unreadable) {
    const damaged = show.damaged(unreadable.readable, unreadable.damaged.map(fieldName));
    return damaged && { damaged };
  }
  const whole = await show.whole(row);
  return whole && { whole };
}

/** A page as JSON, with its damaged rows apart; `mark` as in `pageRequest`. */
export function splitPageJson<Whole, Damaged>(
  { rows, ...place }: OwnedPage<ShownRow<Whole, Damaged>>,
  mark: string,
) {
  const whole = rows.flatMap((row) => (row.damaged ? [] : [row.whole]));
  const damaged = rows.flatMap((row) => (row.damaged ? [row.damaged] : []));
  return { ...pageJson({ ...place, rows: whole }, (row) => row, mark), damaged };
}

/** The fields that the API calls by another name than the store. */
const apiNames: Record<string, string> = {
  ...{ base: 'now', withFee: 'now_with_fee', baseline: 'before', previousBase: 'before' },
  ...{
    askedLevel: 'level',
    level: 'trigger_level',
    isUrgent: 'urgent',
    isFromNone: 'is_from_none',
  },
  ...{ log: 'attempts', lastReason: 'reason' },
};

function fieldName(stored: string): string {
  const snake = stored.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return apiNames[stored] ?? snake;
}

/** The refusal to show one damaged item; lists show what is readable of it. */
export function damagedItem(what: string, damaged: readonly string[], list: string) {
  const fields = damaged.map(fieldName).join(', ');
  const detail = `The stored ${what} is damaged in ${fields}; ${list} has what is readable of it, in \`damaged\`. The cause is in the logs`;
  return problem('stored-unreadable', detail);
}

/** A readable time in ISO 8601. */
export function timeOrNull(at: number | undefined): string | null {
  const time = new Date(at ?? Number.NaN);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}
