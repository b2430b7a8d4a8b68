// The whole watchlist: export to a file, import from a file.
import * as z from 'zod';
import { defaultsFor } from '#shared/watchlist/owner-defaults.ts';
import { newWatchSchema } from '#shared/watchlist/watch.ts';
import type { ApiDeps } from '../api-deps.ts';
import { exampleIds } from '../document/example-ids.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { ProblemError, problem } from '../problem.ts';
import { flagParam } from '../query-params.ts';
import { watchFaults } from '../watches/check-watch.ts';
import { questionAskedBy, questionsOf } from '../watches/open-watch.ts';
import {
  csvFile,
  type FileFault,
  type FileRow,
  fileRow,
  mostInFile,
  readCsvFile,
  readJsonFile,
  watchlistFileSchema,
} from '../watches/watchlist-file.ts';
import type { WatchlistUse } from '../watches/watchlist-use.ts';

const tag = 'Watchlist';

const outcomeSchema = z.object({
  line: z.int().meta({ description: 'CSV: the line; JSON: the number from 1' }),
  outcome: z.enum(['created', 'already_there', 'would_be_created', 'refused']),
  id: z.string().nullable(),
  detail: z.string().nullable().meta({ description: 'Why it was refused' }),
});

const importJsonSchema = z
  .object({
    created: z.int(),
    already_there: z.int(),
    refused: z.int(),
    watches: z.array(outcomeSchema),
  })
  .meta({ id: 'ImportReport' });

type Outcome = z.infer<typeof outcomeSchema>;

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
    description:
      'The file can be imported again, by the same owner or by another owner who has these channels. The CSV has an additional column `trouble`, which says why a watch is silent or late; an import ignores it. A name that a spreadsheet would take for a formula begins with an apostrophe, which an import removes.',
    access: 'read',
    query: z.strictObject({
      format: z.enum(['json', 'csv']).default('json'),
      for: z.enum(['excel']).optional().meta({
        description: 'CSV: begins with a byte order mark, by which Excel knows the letters',
      }),
      separator: z.enum(['comma', 'semicolon', 'tab']).default('comma').meta({
        description:
          'CSV: what is between the cells. Excel wants a semicolon where the decimal separator is a comma.',
      }),
    }),
    answer: {
      status: 200,
      description: 'The file',
      schema: z.object({ watches: z.array(newWatchSchema) }).meta({ id: 'WatchlistExport' }),
      types: ['application/json', 'text/csv'],
    },
    handle: async ({ ownerId, query, now }) => {
      const watches = (await stores.watches.listAll(ownerId)).reverse();
      const name = `watchlist.${query.format}`;
      const headers = { 'content-disposition': `attachment; filename="${name}"` };
      if (query.format === 'json') return { body: { watches: watches.map(fileRow) }, headers };
      const troubles = await readTroubles(await withCurrentStatus(watches, now), now);
      const form = { separator: query.separator, isMarked: query.for === 'excel' };
      const content = csvFile(watches, troubles, form);
      return { text: { type: 'text/csv; charset=utf-8', content }, headers };
    },
  });
}

function importOperation(deps: ApiDeps, use: WatchlistUse) {
  return defineOperation({
    method: 'post',
    path: '/v1/watchlist/import',
    tag,
    summary: 'Add watches from a file',
    description: `JSON, or CSV with the columns event_id, name, tags, channels, latency_seconds, fallback_channel, rules (lists separated by spaces, rules in JSON); a column trouble is ignored. Files of Excel and Google Sheets are taken as they are: a byte order mark, a sep= line, commas, semicolons or tabs, padded names of columns in any case, empty rows. At most ${mostInFile} watches. The answer lists every fault with its line. If there is a fault, no watch is added. Watches that exist already are left unchanged, so an import can be repeated.`,
    access: 'write',
    query: z.strictObject({
      dry_run: flagParam.optional().meta({ description: 'Validates the file and adds no watch' }),
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
    handle: async ({ ownerId, query, body, newId, now, context }) => {
      const sent = context.get('body');
      const reading = sent?.type === 'csv' ? await readCsvFile(sent.text) : readJsonFile(body);
      const there = await questionsThere(deps, ownerId);
      // Existing watches were checked when they were made; the market may have changed since.
      const fresh = reading.rows.filter(({ wanted }) => !there.has(questionAskedBy(wanted)));
      const faults = [...reading.faults, ...(await deepFaults(deps, use, ownerId, fresh, now))];
      if (faults.length > 0) throw refusal(faults);
      const isDry = query.dry_run === true;
      const outcomes: Outcome[] = [];
      for (const { line, wanted } of reading.rows) {
        const id = there.get(questionAskedBy(wanted));
        if (id !== undefined) {
          outcomes.push({ line, outcome: 'already_there', id, detail: null });
          continue;
        }
        outcomes.push(
          isDry
            ? { line, outcome: 'would_be_created', id: null, detail: null }
            : await add(line, () => use.openWatch({ ownerId, wanted, now, makeId: newId })),
        );
      }
      return { body: report(outcomes) };
    },
  });
}

/**
 * The owner's watches by their current question. After a change, a watch still claims only its first
 * question, so an import that checked the claims alone would add it a second time.
 */
async function questionsThere({ stores }: ApiDeps, ownerId: string): Promise<Map<string, string>> {
  const watches = await stores.watches.listAll(ownerId);
  return new Map(
    watches.flatMap((watch) => questionsOf(watch).map((question) => [question, watch.watchId])),
  );
}

/** Faults that the schema can't see, for every line, reported together with the schema's faults. */
async function deepFaults(
  { stores }: ApiDeps,
  { presentState }: WatchlistUse,
  ownerId: string,
  rows: readonly FileRow[],
  now: number,
): Promise<FileFault[]> {
  const zones = new Map<number, string[] | undefined>();
  for (const { wanted } of rows) {
    if (zones.has(wanted.event_id)) continue;
    zones.set(wanted.event_id, (await presentState.read(wanted.event_id)).zones);
  }
  const defaults = await stores.ownerDefaults.find(ownerId);
  const checks = rows.map(async ({ line, wanted }: FileRow) => {
    const { channelIds } = defaultsFor(defaults, wanted.tags ?? []);
    const checked = {
      channelIds: wanted.channels ?? channelIds,
      fallbackId: wanted.fallback_channel,
      rules: wanted.rules,
      zones: zones.get(wanted.event_id),
    };
    const faults = await watchFaults(stores.channels, ownerId, checked, now);
    return faults.map((fault) => ({ ...fault, line }));
  });
  return (await Promise.all(checks)).flat();
}

function refusal(faults: readonly FileFault[]): ProblemError {
  const ordered = faults.toSorted((a, b) => a.line - b.line);
  const [first] = ordered;
  const detail = first
    ? `Nothing was added. Line ${first.line}: ${first.pointer.slice(1)} ${first.detail}`
    : 'Nothing was added';
  return problem('invalid-request', detail, { errors: ordered });
}

async function add(
  line: number,
  create: () => Promise<{ watch: { watchId: string } }>,
): Promise<Outcome> {
  try {
    const { watch } = await create();
    return { line, outcome: 'created', id: watch.watchId, detail: null };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const { watch_id: id } = error.members;
    if (error.type === 'duplicate-watch' && typeof id === 'string') {
      return { line, outcome: 'already_there', id, detail: null };
    }
    return { line, outcome: 'refused', id: null, detail: error.detail };
  }
}

function report(watches: Outcome[]): z.infer<typeof importJsonSchema> {
  const count = (outcome: Outcome['outcome']) =>
    watches.filter((each) => each.outcome === outcome).length;
  return {
    created: count('created'),
    already_there: count('already_there'),
    refused: count('refused'),
    watches,
  };
}
