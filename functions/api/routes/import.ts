// Imports a watchlist from a file: a small one at once, a large one as a job.
import * as z from 'zod';
import { groupThousands } from '#shared/rules/words/words.ts';
import type { ApiDeps } from '../api-deps.ts';
import { exampleIds } from '../document/example-ids.ts';
import { createBeginJob } from '../jobs/begin-job.ts';
import { acceptedJob, jobJsonSchema } from '../jobs/job-json.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { flagParam } from '../query-params.ts';
import { createBeginImport } from '../watches/begin-import.ts';
import { importFaults } from '../watches/import-faults.ts';
import { createImportNow } from '../watches/import-now.ts';
import { importReportSchema, reportOf } from '../watches/import-report.ts';
import { readImportFile } from '../watches/read-import-file.ts';
import { columns } from '../watches/watchlist-csv.ts';
import {
  mostImportBytes,
  mostInFile,
  mostRowsAtOnce,
  watchlistFileSchema,
} from '../watches/watchlist-file.ts';

const words = [
  `JSON, or CSV with any of the columns ${columns.join(', ')}. At most ${groupThousands(mostInFile)} watches and ${groupThousands(mostImportBytes)} bytes.`,
  `A file of at most ${mostRowsAtOnce} rows is answered at once. A larger one is answered with 202 and a job: GET /v1/jobs/{id} says how far it is, GET /v1/jobs/{id}/results has the result of each row, also as CSV. At most ten jobs may be unfinished.`,
  'A row with the `id` of a watch of yours changes that watch: an empty cell resets its setting to none or to the default, a column that the file lacks stays as it is, and a changed rule keeps its history. Any other row makes a watch; if you have the same watch already, it does nothing. So an import can be repeated: it goes on where the first one stopped.',
  'The event is `event_id`, or `event` (its name) with `date`, which are looked for as in GET /v1/events. `at_or_below` (dollars) with `zone` is a level of the get-in price; with `section` or `row` (lists with commas) it is the price of a listing there. `drop_percent` is a drop from the high of the last 24 hours. Other rules are JSON in `rules`; a row has either the plain columns or `rules`, and both together are refused. `channels` are names, mail addresses or ids, separated by commas or semicolons.',
  'Files of Excel and Google Sheets are taken as they are: a byte order mark, a sep= line, commas, semicolons or tabs, padded names of columns in any case, empty rows. The columns of an export that are for people only are ignored.',
  'If a row has a fault, nothing is changed and the answer lists the faults with their lines and columns. In a large file this is so for what the file itself and your channels show; a row whose event, zone or watch is at fault is refused alone by the job. A row on an event that the marketplace doesn’t know is always refused alone.',
  'With `dry_run` the answer, or the job, says what each row would do, faults included, and what the watches would cost together, by day and until their events.',
].join(' ');

/** import. */
export function importOperation(deps: ApiDeps): Operation {
  const importNow = createImportNow(deps);
  const beginImport = createBeginImport({ ...deps, beginJob: createBeginJob(deps) });
  return defineOperation({
    method: 'post',
    path: '/v1/watchlist/import',
    tag: 'Watchlist',
    summary: 'Add and change watches from a file',
    description: words,
    access: 'write',
    query: z.strictObject({
      dry_run: flagParam.optional().meta({
        description: 'Says what each row would do and what it would cost, and changes nothing',
      }),
    }),
    body: watchlistFileSchema,
    mostBodyBytes: mostImportBytes,
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
    csvExamples: {
      plain: {
        summary: 'A level and a drop',
        value: `event_id,zone,at_or_below,drop_percent,channels,tags\n${exampleIds.event},Lower Bowl,90,,${exampleIds.channel},knicks\n${exampleIds.event},,,20,${exampleIds.channel},knicks\n`,
      },
    },
    answer: { status: 200, description: 'The result of each line', schema: importReportSchema },
    accepted: { description: 'The job that imports a large file', schema: jobJsonSchema },
    handle: async ({ ownerId, query, body, by, newId, now, context }) => {
      const file = await readImportFile(deps, { ownerId, sent: context.get('body'), json: body });
      const isDry = query.dry_run === true;
      if (file.lines > mostRowsAtOnce) {
        const jobId = newId('job');
        return acceptedJob(await beginImport(file, { ownerId, isDry, by, jobId, now }));
      }
      const report = await importNow(file, { ownerId, isDry, by, seed: newId('watch'), now });
      if ('faults' in report) throw importFaults(report.faults);
      return { body: reportOf(report) };
    },
  });
}
