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

/**
 * The store's page request; a cursor is the position to continue after, in opaque form.
 * @param places the schema of a position in this list.
 * @throws ProblemError for a cursor of another list.
 */
export function pageRequest(query: PageQuery, places: RegExp): PageRequest {
  const { limit, starting_after: cursor } = query;
  if (cursor === undefined) return { limit };
  const after = Buffer.from(cursor, 'base64url').toString('utf8');
  const isWhole = Buffer.from(after, 'utf8').toString('base64url') === cursor;
  if (isWhole && places.test(after)) return { limit, after };
  throw invalidFaults([{ pointer: '#/starting_after', detail: 'is not a cursor of this list' }]);
}

/** A page as JSON. */
export function pageJson<Row, Json>({ rows, next }: OwnedPage<Row>, toJson: (row: Row) => Json) {
  return {
    data: rows.map(toJson),
    has_more: next !== undefined,
    next_cursor: next === undefined ? null : Buffer.from(next, 'utf8').toString('base64url'),
  };
}
