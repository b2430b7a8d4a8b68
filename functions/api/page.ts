// Lists as pages in the marketplace's own style: data, has_more, next_cursor.
import * as z from 'zod';
import type { OwnedPage, PageRequest } from '#shared/dynamo/owner-index.ts';
import { invalidFaults } from './problem.ts';
import { wholeNumberParam } from './query-params.ts';

/** The query parameters of every list. */
export const pageParams = {
  limit: wholeNumberParam(1, 200).default(50).meta({
    description: 'Number of rows per page',
    type: 'integer',
    minimum: 1,
    maximum: 200,
    default: 50,
  }),
  starting_after: z
    .string()
    .min(1)
    .max(1_000)
    .optional()
    .meta({ description: 'next_cursor of the previous page' }),
};

/** The query of a list without filters. */
export const pageQuerySchema = z.strictObject(pageParams);

export interface PageQuery {
  limit: number;
  starting_after?: string | undefined;
}

/** The schema of a list's answer; `also` has members beside the page's own. */
export function pageSchema<
  Row extends z.ZodType,
  Also extends z.ZodRawShape = Record<never, never>,
>(id: string, row: Row, also: Also = {} as Also) {
  return z
    .object({
      ...also,
      data: z.array(row),
      has_more: z.boolean(),
      next_cursor: z
        .string()
        .nullable()
        .meta({ description: 'For starting_after; null at the end' }),
    })
    .meta({ id });
}

/** Separates a cursor's position from the mark of its filters; no position of a list has a line break. */
const markBegins = '\n';

/**
 * The store's page request; a cursor is the position to continue after, in opaque form.
 * @param places the schema of a position in this list.
 * @param mark stands for the query's filters (`filterMark`): a cursor continues its own query only.
 * @throws ProblemError for a cursor of another list, or of other filters.
 */
export function pageRequest(query: PageQuery, places: RegExp, mark = ''): PageRequest {
  const { limit, starting_after: cursor } = query;
  if (cursor === undefined) return { limit };
  const after = Buffer.from(cursor, 'base64url').toString('utf8');
  const isWhole = Buffer.from(after, 'utf8').toString('base64url') === cursor;
  const [place = '', given = ''] = after.split(markBegins);
  if (isWhole && places.test(place)) {
    if (given === mark) return { limit, after: place };
    const detail = 'is a cursor of other filters; repeat the filters of the page that gave it';
    throw invalidFaults([{ pointer: '#/starting_after', detail }]);
  }
  throw foreignCursor();
}

/** The refusal of a cursor that this list has not given. */
export function foreignCursor() {
  return invalidFaults([{ pointer: '#/starting_after', detail: 'is not a cursor of this list' }]);
}

/** A page as JSON; `mark` as in `pageRequest`. */
export function pageJson<Row, Json>(
  { rows, next }: OwnedPage<Row>,
  toJson: (row: Row) => Json,
  mark = '',
) {
  return {
    data: rows.map(toJson),
    has_more: next !== undefined,
    next_cursor: next === undefined ? null : cursorOf(next, mark),
  };
}

function cursorOf(place: string, mark: string): string {
  const text = mark === '' ? place : `${place}${markBegins}${mark}`;
  return Buffer.from(text, 'utf8').toString('base64url');
}
