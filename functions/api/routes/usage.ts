// An owner's totals of pulls and dollars.
import * as z from 'zod';
import { groupThousands } from '#shared/rules/words/words.ts';
import type { ApiDeps } from '../api-deps.ts';
import { mostLedgerRows, readUsage, usageGroups } from '../budget/read-usage.ts';
import {
  usageCsv,
  usageRowJson,
  usageRowSchema,
  usageSumJson,
  usageSumSchema,
} from '../budget/usage-json.ts';
import { csvForm, csvParams } from '../csv-params.ts';
import { filterMark } from '../filtered-page.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { foreignCursor, pageJson, pageParams, pageRequest, pageSchema } from '../page.ts';
import { invalidFaults } from '../problem.ts';
import { timeParam } from '../query-params.ts';

const dayMs = 86_400_000;
/** The ledger is kept for as long. */
const longestRangeMs = 400 * dayMs;

const querySchema = z.strictObject({
  ...pageParams,
  ...csvParams,
  by: z.enum(usageGroups).default('day'),
  from: timeParam.optional().meta({ description: 'Default: 30 days before `to`' }),
  to: timeParam.optional().meta({ description: 'Exclusive. Default: now' }),
});

type Query = z.infer<typeof querySchema>;

const description = [
  'Your own part of the pulls, by day, event, watch or tag; the totals of all owners add up to the ledger. The cost of a call is divided equally over the watches that needed it when it was sent, those of other owners too, as in the `cost` of a watch; a part is divided equally over the tags that its watch has now. Look-ups and purchases that you asked for are yours alone.',
  '`not_attributed` has the calls about events of your present watches of which the ledger does not say who needed them: calls from before this was recorded, and calls that nobody needed any more. They are in no owner’s total.',
  `A range may have ${groupThousands(mostLedgerRows)} calls of all owners. \`format=csv\` has all rows as a file.`,
].join(' ');

/** The totals of the caller. */
export function usageOperation({ stores }: ApiDeps): Operation {
  return defineOperation({
    method: 'get',
    path: '/v1/budget/usage',
    tag: 'Budget',
    summary: 'Your own pulls and dollars',
    description,
    access: 'read',
    query: querySchema,
    answer: {
      status: 200,
      description: 'By day in time order; else the most expensive first',
      schema: pageSchema('OwnerUsage', usageRowSchema, {
        by: z.enum(usageGroups),
        from: z.iso.datetime(),
        to: z.iso.datetime(),
        total: usageSumSchema,
        not_attributed: usageSumSchema,
      }),
      types: ['application/json', 'text/csv'],
    },
    handle: async ({ ownerId, query, now }) => {
      const mark = filterMark({ ...query, format: undefined });
      const { limit, after } = pageRequest(query, placeForm, mark);
      const { from, to, place } = after === undefined ? rangeOf(query, now) : placeOf(after);
      const { by } = query;
      const usage = await readUsage(stores, { ownerId, by, from, to });
      if (!usage) {
        const detail = `must be nearer to \`to\`: the range has more than ${groupThousands(mostLedgerRows)} calls`;
        throw invalidFaults([{ pointer: '#/from', detail }]);
      }
      const { rows, total, notAttributed } = usage;
      if (query.format === 'csv') {
        const headers = { 'content-disposition': `attachment; filename="usage-by-${by}.csv"` };
        const content = usageCsv(rows, by, csvForm(query));
        return { text: { type: 'text/csv; charset=utf-8', content }, headers };
      }
      const next = place + limit;
      const page = {
        rows: rows.slice(place, next),
        ...(next < rows.length && { next: [from, to, next].join('#') }),
      };
      return {
        body: {
          ...{ by, from: new Date(from).toISOString(), to: new Date(to).toISOString() },
          total: usageSumJson(total),
          not_attributed: usageSumJson(notAttributed),
          ...pageJson(page, usageRowJson, mark),
        },
      };
    },
  });
}

/** @throws ProblemError for a range that is empty or too long. */
function rangeOf({ from, to }: Query, now: number) {
  const refuse = (detail: string) => invalidFaults([{ pointer: '#/from', detail }]);
  const until = Math.min(to ?? now, now);
  const since = from ?? until - 30 * dayMs;
  if (since >= until) throw refuse('must be before `to`, and in the past');
  if (until - since > longestRangeMs) throw refuse('must be at most 400 days before `to`');
  return { from: since, to: until, place: 0 };
}

/** The range, so that every page has the same one, and the number of rows before the page. */
const placeForm = /^-?\d{1,15}#\d{1,15}#\d{1,9}$/;

function placeOf(after: string) {
  const [from = 0, to = 0, place = 0] = after.split('#').map(Number);
  if (from >= to || to - from > longestRangeMs) throw foreignCursor();
  return { from, to, place };
}
