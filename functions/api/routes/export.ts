// Exports a watchlist to a file.
import * as z from 'zod';
import { groupThousands } from '#shared/rules/words/words.ts';
import { idSchema } from '#shared/watchlist/id.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import type { ApiDeps } from '../api-deps.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { invalidFaults } from '../problem.ts';
import { wholeNumberParam } from '../query-params.ts';
import { nameChannels } from '../watches/channel-names.ts';
import { csvParams } from '../watches/csv-table-params.ts';
import type { CurrentWatch } from '../watches/current-status.ts';
import { readChannels } from '../watches/read-import-file.ts';
import { createReadStandings } from '../watches/standing-list.ts';
import { fileRow, fileWatchSchema, mostInFile } from '../watches/watchlist-file.ts';
import type { WatchlistUse } from '../watches/watchlist-use.ts';
import { type CsvExtras, csvFile } from '../watches/write-watchlist-csv.ts';

/** Watches whose standing one request reads within its time. */
const mostWithStanding = 2_500;
/** Lambda answers with 6 MB at most, in which a quote and a line break are two bytes. */
const mostAnswerBytes = 6_000_000;

const words = [
  'Change the file in a spreadsheet and import it again: each row changes the watch of its `id`. The CSV has plain columns for a price at or below a level in a zone, section or row, and for a drop in percent from the high of the last 24 hours. Rules that these columns can’t say are in the column `rules`, in JSON. Channels are named, or given by id where their name is not unique. A text that a spreadsheet would compute or rewrite (a formula, the rows 1-10, the name 007) begins with an apostrophe, which an import removes. Another owner who has these channels can import the file, too.',
  'The columns `event`, `date`, `state`, `value`, `distance_percent`, `last_alert_at` and `trouble` are for people: value and distance are those of the rule that is nearest to its level, and `trouble` is why a watch is silent or late.',
  `A file has all watches, the oldest first. With \`limit\` it has as many, and the header Link names the next file (\`rel="next"\`) as long as there is one. If a CSV has more than ${groupThousands(mostWithStanding)} watches, its columns \`state\`, \`value\`, \`distance_percent\` and \`last_alert_at\` are empty; files of fewer have them.`,
].join(' ');

/** export. */
export function exportOperation(deps: ApiDeps, use: WatchlistUse): Operation {
  const { stores } = deps;
  const readExtras = createReadExtras(deps, use);
  return defineOperation({
    method: 'get',
    path: '/v1/watchlist/export',
    tag: 'Watchlist',
    summary: 'All your watches as a file',
    description: words,
    access: 'read',
    query: z.strictObject({
      format: z.enum(['json', 'csv']).default('json'),
      ...csvParams,
      limit: wholeNumberParam(1, mostInFile)
        .optional()
        .meta({
          ...{ description: 'Number of watches in this file', type: 'integer' },
          ...{ minimum: 1, maximum: mostInFile },
        }),
      starting_after: idSchema('watch').optional().meta({
        description: 'The last watch of the file before, as in its Link header',
      }),
    }),
    answer: {
      status: 200,
      description: 'The file',
      schema: z.object({ watches: z.array(fileWatchSchema) }).meta({ id: 'WatchlistExport' }),
      types: ['application/json', 'text/csv'],
    },
    handle: async ({ ownerId, query, now, context }) => {
      const { format, limit, starting_after: after = '' } = query;
      const all = (await stores.watches.listAll(ownerId)).reverse();
      const rest = all.filter(({ watchId }) => watchId > after);
      const watches = rest.slice(0, limit);
      const last = watches.at(-1);
      const headers = {
        'content-disposition': `attachment; filename="watchlist.${format}"`,
        ...(last && watches.length < rest.length && linkAfter(context.req.url, last)),
      };
      if (format === 'json') {
        const body = { watches: watches.map(fileRow) };
        requireFit(JSON.stringify(body));
        return { body, headers };
      }
      const form = { separator: query.separator, isMarked: query.for === 'excel' };
      const content = csvFile(watches, await readExtras(ownerId, watches, now), form);
      requireFit(content);
      return { text: { type: 'text/csv; charset=utf-8', content }, headers };
    },
  });
}

/** Names the next file, by a path of this API. */
function linkAfter(url: string, { watchId }: Watch): Record<string, string> {
  const { pathname, searchParams } = new URL(url);
  searchParams.set('starting_after', watchId);
  return { link: `<${pathname}?${searchParams}>; rel="next"` };
}

/** @throws ProblemError for a file that Lambda could not answer with. */
function requireFit(content: string): void {
  if (Buffer.byteLength(JSON.stringify(content)) <= mostAnswerBytes) return;
  const detail = `is needed: the whole file is larger than ${groupThousands(mostAnswerBytes)} bytes. Ask for files of fewer watches, such as limit=2000, and follow their Link headers`;
  throw invalidFaults([{ pointer: '#/limit', detail }]);
}

function createReadExtras(
  deps: ApiDeps,
  { readTroubles, withCurrentStatus }: Pick<WatchlistUse, 'readTroubles' | 'withCurrentStatus'>,
) {
  const { stores } = deps;
  const readStandings = createReadStandings(deps);

  return async function readExtras(
    ownerId: string,
    watches: readonly Watch[],
    now: number,
  ): Promise<CsvExtras> {
    const channels = nameChannels(await readChannels(stores, ownerId));
    if (watches.length <= mostWithStanding) {
      const rows = await readStandings(watches, now);
      return {
        ...{ channels, facts: factsOf(rows.map(({ watch }) => watch)) },
        troubles: new Map(
          rows.map(({ watch, standing }) => [watch.watchId, standing.troubles] as const),
        ),
        standings: new Map(rows.map((row) => [row.watch.watchId, row])),
      };
    }
    const current = await withCurrentStatus(watches, now);
    const troubles = await readTroubles(current, now);
    return { channels, facts: factsOf(current), troubles };
  };
}

function factsOf(watches: readonly CurrentWatch[]): CsvExtras['facts'] {
  return new Map(watches.map(({ eventId, facts }) => [eventId, facts]));
}
