// The whole watchlist: export to a file, import from a file.
import * as z from 'zod';
import type { Stores } from '#shared/dynamo/stores.ts';
import { inLots } from '#shared/lambda/in-lots.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import type { ApiDeps } from '../api-deps.ts';
import { exampleIds } from '../document/example-ids.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { type ProblemError, problem } from '../problem.ts';
import { flagParam } from '../query-params.ts';
import { nameChannels } from '../watches/channel-names.ts';
import { csvParams } from '../watches/csv-table-params.ts';
import {
  createImportWatchlist,
  type RowOutcome,
  rowOutcomeSchema,
} from '../watches/import-watchlist.ts';
import { refusedRows, wordsOf } from '../watches/stored-rows.ts';
import { columns, csvFile, readCsvFile } from '../watches/watchlist-csv.ts';
import {
  type FileFault,
  fileRow,
  fileWatchSchema,
  mostInFile,
  readJsonFile,
  watchlistFileSchema,
} from '../watches/watchlist-file.ts';
import type { WatchlistUse } from '../watches/watchlist-use.ts';

const tag = 'Watchlist';

const exportWords =
  'Change the file in a spreadsheet and import it again: each row changes the watch of its `id`. The CSV has plain columns for a price at or below a level in a zone, section or row, and for a drop in percent from the high of the last 24 hours. Rules that these columns can’t say are in the column `rules`, in JSON. Channels are named, or given by id where their name is not unique. `event`, `date` and `trouble` (why a watch is silent or late) are for people. A text that a spreadsheet would compute or rewrite (a formula, the rows 1-10, the name 007) begins with an apostrophe, which an import removes. Another owner who has these channels can import the file, too.';

const importWords = [
  `JSON, or CSV with any of the columns ${columns.join(', ')}. At most ${mostInFile} watches.`,
  'A row with the `id` of a watch of yours changes that watch: an empty cell resets its setting to none or to the default, a column that the file lacks stays as it is, and a changed rule keeps its history. Any other row makes a watch; if you have the same watch already, it does nothing. So an import can be repeated.',
  'The event is `event_id`, or `event` (its name) with `date`, which are looked for as in GET /v1/events. `at_or_below` (dollars) with `zone` is a level of the get-in price; with `section` or `row` (lists with commas) it is the price of a listing there. `drop_percent` is a drop from the high of the last 24 hours. Other rules are JSON in `rules`; a row has either the plain columns or `rules`, and both together are refused. `channels` are names, mail addresses or ids, separated by commas or semicolons.',
  'Files of Excel and Google Sheets are taken as they are: a byte order mark, a sep= line, commas, semicolons or tabs, padded names of columns in any case, empty rows.',
  'An import that runs out of time reports the rows that it did not begin as `not_reached`; when the same file is sent again, it goes on with them.',
  'If a row has a fault, nothing is changed and the answer lists every fault with its line and column. With `dry_run` the answer says what each row would do, faults included. A row on an event that the marketplace doesn’t know is refused alone, when the import is carried out.',
].join(' ');

const importJsonSchema = z
  .object({
    created: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    already_there: z.int(),
    refused: z.int(),
    not_reached: z.int().meta({
      description:
        'Rows for which there was no time: send the file again, with a new Idempotency-Key',
    }),
    watches: z.array(rowOutcomeSchema),
  })
  .meta({ id: 'ImportReport' });

/** export, import. */
export function watchlistOperations(deps: ApiDeps, use: WatchlistUse): Operation[] {
  return [exportOperation(deps, use), importOperation(deps, use)];
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
        readChannelNames(stores, ownerId),
        readFacts(stores, watches),
        withCurrentStatus(watches, now).then((current) => readTroubles(current, now)),
      ]);
      const form = { separator: query.separator, isMarked: query.for === 'excel' };
      const content = csvFile(watches, { channels, facts, troubles }, form);
      return { text: { type: 'text/csv; charset=utf-8', content }, headers };
    },
  });
}

async function readChannelNames({ channels }: Pick<Stores, 'channels'>, ownerId: string) {
  return nameChannels((await channels.list(ownerId, { limit: 1_000 })).rows);
}

async function readFacts({ eventFacts }: Pick<Stores, 'eventFacts'>, watches: readonly Watch[]) {
  const ids = [...new Set(watches.map(({ eventId }) => eventId))];
  const facts = await inLots(ids, 100, (eventId) => eventFacts.find(eventId));
  return new Map(ids.map((eventId, index) => [eventId, facts[index]]));
}

function importOperation(deps: ApiDeps, use: WatchlistUse) {
  const importing = createImportWatchlist(deps, use);
  return defineOperation({
    method: 'post',
    path: '/v1/watchlist/import',
    tag,
    summary: 'Add and change watches from a file',
    description: importWords,
    access: 'write',
    query: z.strictObject({
      dry_run: flagParam.optional().meta({
        description: 'Says what each row would do, and changes nothing',
      }),
    }),
    body: watchlistFileSchema,
    takesCsv: true,
    bodyExamples: {
      usual: {
        summary: 'Two watches',
        value: {
          watches: [
            {
              event_id: exampleIds.event,
              rules: [{ type: 'level', metric: 'get_in', at_or_below: 90 }],
              channels: [exampleIds.channel],
            },
            {
              event_id: exampleIds.event,
              name: 'Few left',
              rules: [{ type: 'supply', at_or_below: 40 }],
              channels: [exampleIds.channel],
            },
          ],
        },
      },
    },
    answer: { status: 200, description: 'The result of each line', schema: importJsonSchema },
    handle: async ({ ownerId, query, body, by, newId, now, context }) => {
      const sent = context.get('body');
      const reading =
        sent?.type === 'csv'
          ? await readCsvFile(sent.text, await readChannelNames(deps.stores, ownerId))
          : readJsonFile(body);
      const { steps, faults: found } = await importing.plan({ ownerId, rows: reading.rows, now });
      const faults = [...reading.faults, ...found];
      const isDry = query.dry_run === true;
      const isReadable = reading.rows.length > 0;
      if (faults.length > 0 && !(isDry && isReadable)) throw refusal(faults);
      const refused = refusedRows(faults);
      const lines = new Set(refused.map(({ line }) => line));
      const fit = steps.filter(({ line }) => !lines.has(line));
      const rows = isDry
        ? importing.foretell(fit)
        : await importing.carryOut(fit, { ownerId, by, seed: newId('watch'), now });
      return { body: report([...rows, ...refused].sort((a, b) => a.line - b.line)) };
    },
  });
}

function refusal(faults: readonly FileFault[]): ProblemError {
  const ordered = faults.toSorted((a, b) => a.line - b.line);
  const [first] = ordered;
  const detail = first
    ? `Nothing was changed. Line ${first.line}: ${wordsOf(first)}`
    : 'Nothing was changed';
  return problem('invalid-request', detail, { errors: ordered });
}

function report(watches: RowOutcome[]): z.infer<typeof importJsonSchema> {
  const count = (outcome: RowOutcome['outcome']) =>
    watches.filter((each) => each.outcome === outcome).length;
  return {
    created: count('created'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    already_there: count('already_there'),
    refused: count('refused'),
    not_reached: count('not_reached'),
    watches,
  };
}
