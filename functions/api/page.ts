// Lists as pages in the marketplace's own style: data, has_more, next_cursor.
import * as z from 'zod';
import type { OwnedPage, PageRequest } from '#shared/store/owner-index.ts';
import { invalidRequest, ProblemError } from './problem.ts';

/** The query of every list. */
const pageQuerySchema = z.strictObject({
  limit: z
    .string()
    .regex(/^\d{1,4}$/, 'must be a whole number from 1 to 200')
    .default('50')
    .transform(Number)
    .pipe(z.int().min(1).max(200)),
  starting_after: z.string().min(1).max(1_000).optional(),
});

/**
 * The store's page request from a list's query; a cursor is the place to go on after, in opaque form.
 * @throws ProblemError for an unknown parameter, a limit out of bounds, or a cursor of something else.
 */
export function readPage(query: Record<string, string>): PageRequest {
  const parsed = pageQuerySchema.safeParse(query);
  if (!parsed.success) throw invalidRequest(parsed.error);
  const { limit, starting_after: cursor } = parsed.data;
  if (cursor === undefined) return { limit };
  const after = Buffer.from(cursor, 'base64url').toString('utf8');
  if (Buffer.from(after, 'utf8').toString('base64url') === cursor) return { limit, after };
  const detail = 'is not a cursor of this list';
  throw new ProblemError(400, 'invalid-request', `starting_after ${detail}`, [
    { pointer: '#/starting_after', detail },
  ]);
}

/** A page as JSON. */
export function pageJson<Row, Json>({ rows, next }: OwnedPage<Row>, toJson: (row: Row) => Json) {
  return {
    data: rows.map(toJson),
    has_more: next !== undefined,
    next_cursor: next === undefined ? null : Buffer.from(next, 'utf8').toString('base64url'),
  };
}
