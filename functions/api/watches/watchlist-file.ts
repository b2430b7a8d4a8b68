// The rows of a watchlist file, and the file as JSON; watchlist-csv.ts has it as CSV. A row with the id of a watch
// changes it, any other row asks for a new watch.
import * as z from 'zod';
import { idSchema } from '#shared/watchlist/id.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import { newWatchSchema } from '#shared/watchlist/watch-request.ts';
import type { Fault } from '../faults.ts';

/** Maximum number of watches in one file. */
export const mostInFile = 10_000;
/** Maximum number of rows that one request carries out: well within the API's 10 s. A larger file becomes a job. */
export const mostRowsAtOnce = 200;
/**
 * Lambda takes requests of 6 MB, in which a quote is two bytes and a body that API Gateway doesn't take for text is a
 * third longer. A row has some 150 bytes of CSV or 300 of JSON.
 */
export const mostImportBytes = 4 * 1024 * 1024;

/** A fault of a file, with its line (CSV; line 1 is the header) or its row (JSON; from 1). */
export interface FileFault extends Fault {
  line: number;
}

/** A row that is not yet compared with the owner's watches. */
export interface FileRow {
  line: number;
  /** The id of a watch that the owner may have. */
  id?: string | undefined;
  /** The fields with a value, as in `POST /v1/watches`. */
  fields: Record<string, unknown>;
  /** The fields that are named and empty: a change resets them. */
  empty: readonly string[];
  /** The event by its name and date, if the row has no id of it. */
  event?: { name: string; date: string } | undefined;
  /** The place of a fault in the file, from its pointer within the row. */
  place: (pointer: string) => string;
}

export interface FileReading {
  rows: FileRow[];
  faults: FileFault[];
}

const id = idSchema('watch');

/** A watch in a file: a request for one, with the id of the watch that it was. */
export const fileWatchSchema = newWatchSchema
  .extend({
    id: id.optional().meta({ description: 'The watch to change; without one, a new watch' }),
  })
  .meta({ id: 'WatchInFile' });

/** A row is checked on its own later, so that a fault refuses that row only; the document shows the whole form. */
const rowSchema = z
  .union([z.looseObject({}), fileWatchSchema], {
    error: 'must be an object, as in POST /v1/watches',
  })
  .meta({ shownForm: 1 });

export const watchlistFileSchema = z
  .strictObject({
    watches: z.array(rowSchema).min(1).max(mostInFile).meta({
      description:
        'Each as in POST /v1/watches. With the `id` of a watch of yours it changes that watch; fields that are absent then keep their values.',
    }),
  })
  .meta({ id: 'WatchlistFile' });

/** The place of a fault in a JSON file, from its pointer within row number `line`. */
export function placeInJson(line: number): FileRow['place'] {
  return (pointer) => pointer.replace('#', `#/watches/${line - 1}`);
}

/** A fault of a CSV file has its line beside its column. */
export const placeInCsv: FileRow['place'] = (pointer) => pointer;

/** Reads the rows of a JSON file; `line` is a row's number from 1. */
export function readJsonFile(file: z.infer<typeof watchlistFileSchema>): FileReading {
  const rows = file.watches.map(({ id: own, ...fields }, index): FileRow => {
    const line = index + 1;
    return {
      line,
      fields,
      empty: [],
      place: placeInJson(line),
      ...(own !== undefined && { id: String(own) }),
    };
  });
  return checked(rows);
}

/** The rows, and the faults of their ids. */
export function checked(rows: readonly FileRow[]): FileReading {
  const first = new Map<string, number>();
  const faults = rows.flatMap((row): FileFault[] => {
    if (row.id === undefined) return [];
    const pointer = row.place('#/id');
    const parsed = id.safeParse(row.id);
    if (!parsed.success) {
      return [{ line: row.line, pointer, detail: 'must be an id such as wat_…, or empty' }];
    }
    const before = first.get(row.id);
    first.set(row.id, before ?? row.line);
    if (before === undefined) return [];
    return [{ line: row.line, pointer, detail: `is the id of line ${before}, too` }];
  });
  return { rows: [...rows], faults };
}

/** A watch as a file stores it: its own settings, without inherited defaults. */
export function fileRow(watch: Watch): z.input<typeof fileWatchSchema> {
  const { watchId, eventId, name, tags = [], rules, channelIds, latencySeconds } = watch;
  const { fallbackChannelId, inherits = [] } = watch;
  return {
    id: watchId,
    event_id: eventId,
    ...(name !== undefined && { name }),
    ...(tags.length > 0 && { tags }),
    rules: rules.map(({ rule }) => rule),
    // A watch whose last channel was deleted has none; an import refuses an empty list.
    ...(!inherits.includes('channels') && channelIds.length > 0 && { channels: channelIds }),
    ...(!inherits.includes('latency_seconds') && { latency_seconds: latencySeconds }),
    ...(fallbackChannelId !== undefined && { fallback_channel: fallbackChannelId }),
  };
}
