// The whole watchlist as a file: export; import.ts has the import.
import * as z from 'zod';
import type { Stores } from '#shared/dynamo/stores.ts';
import { inLots } from '#shared/lambda/in-lots.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import type { ApiDeps } from '../api-deps.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { nameChannels } from '../watches/channel-names.ts';
import { csvParams } from '../watches/csv-table-params.ts';
import { readChannels } from '../watches/read-import-file.ts';
import { csvFile } from '../watches/watchlist-csv.ts';
import { fileRow, fileWatchSchema } from '../watches/watchlist-file.ts';
import type { WatchlistUse } from '../watches/watchlist-use.ts';
import { importOperation } from './import.ts';

const tag = 'Watchlist';

const exportWords =
  'Change the file in a spreadsheet and import it again: each row changes the watch of its `id`. The CSV has plain columns for a price at or below a level in a zone, section or row, and for a drop in percent from the high of the last 24 hours. Rules that these columns can’t say are in the column `rules`, in JSON. Channels are named, or given by id where their name is not unique. `event`, `date` and `trouble` (why a watch is silent or late) are for people. A text that a spreadsheet would compute or rewrite (a formula, the rows 1-10, the name 007) begins with an apostrophe, which an import removes. Another owner who has these channels can import the file, too.';

/** export, import. */
export function watchlistOperations(deps: ApiDeps, use: WatchlistUse): Operation[] {
  return [exportOperation(deps, use), importOperation(deps)];
}

function exportOperation({ stores }: ApiDeps, { readTroubles, withCurrentStatus }: WatchlistUse) {
  return defineOperation({
    method: 'get',
    path: '/v1/watchlist/export',
    tag,
    summary: 'All your watches as a file',
    description: exportWords,
    access: 'read',
    query: z.strictObject({
      format: z.enum(['json', 'csv']).default('json'),
      ...csvParams,
    }),
    answer: {
      status: 200,
      description: 'The file',
      schema: z.object({ watches: z.array(fileWatchSchema) }).meta({ id: 'WatchlistExport' }),
      types: ['application/json', 'text/csv'],
    },
    handle: async ({ ownerId, query, now }) => {
      const watches = (await stores.watches.listAll(ownerId)).reverse();
      const name = `watchlist.${query.format}`;
      const headers = { 'content-disposition': `attachment; filename="${name}"` };
      if (query.format === 'json') return { body: { watches: watches.map(fileRow) }, headers };
      const [channels, facts, troubles] = await Promise.all([
        readChannels(stores, ownerId).then(nameChannels),
        readFacts(stores, watches),
        withCurrentStatus(watches, now).then((current) => readTroubles(current, now)),
      ]);
      const form = { separator: query.separator, isMarked: query.for === 'excel' };
      const content = csvFile(watches, { channels, facts, troubles }, form);
      return { text: { type: 'text/csv; charset=utf-8', content }, headers };
    },
  });
}

async function readFacts({ eventFacts }: Pick<Stores, 'eventFacts'>, watches: readonly Watch[]) {
  const ids = [...new Set(watches.map(({ eventId }) => eventId))];
  const facts = await inLots(ids, 100, (eventId) => eventFacts.find(eventId));
  return new Map(ids.map((eventId, index) => [eventId, facts[index]]));
}
