/** Cuts a read of `limit + 1` rows into a page with its cursor. Reads nothing itself. */
import type { Cursors, Position } from '../cursors.ts';

export interface RowPage<Row> {
  rows: Row[];
  has_more: boolean;
  /** Null on the last page (api.md, Common pagination rules 1). */
  next_cursor: string | null;
}

/** @param read reads rows from the position on, up to one more than `limit` */
export function cutPage<Row>(
  read: readonly Row[],
  o: { limit: number; cursors: Cursors; scope: string; positionOf: (row: Row) => Position },
): RowPage<Row> {
  const rows = read.slice(0, o.limit);
  const last = rows.at(-1);
  const has_more = read.length > o.limit;
  const next_cursor =
    has_more && last !== undefined ? o.cursors.issue(o.scope, o.positionOf(last)) : null;
  return { rows, has_more, next_cursor };
}
