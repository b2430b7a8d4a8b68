// An owner's totals as JSON and as CSV.
import * as z from 'zod';
import { flatPricePerPull } from '#shared/polling/assumptions.ts';
import { asText, writeCsv } from '../watches/csv-table.ts';
import { type UsageRow, type UsageSum, usageSubjects } from './read-usage.ts';

const sumFields = {
  pulls: z.number().meta({ description: 'Your part of the pulls, to the millionth' }),
  dollars: z.number().meta({ description: 'Their value at $0.015 a request' }),
  calls: z.int().meta({ description: 'Calls to the marketplace that these are parts of' }),
};

export const usageSumSchema = z.object(sumFields).meta({ id: 'UsageSum' });

export const usageRowSchema = z
  .object({
    day: z.string().nullable().meta({ description: 'The UTC date; with `by=day`' }),
    event_id: z.int().nullable().meta({ description: 'With `by=event` and `by=watch`' }),
    event_name: z.string().nullable(),
    event_date: z.string().nullable(),
    subject: z.enum(usageSubjects).nullable().meta({
      description:
        'With `by=watch`. deleted_watch: a watch that no longer exists; own_call: a look-up or purchase that you asked for; not_named: watches on an event that so many watch that its calls don’t name them',
    }),
    watch_id: z.string().nullable(),
    watch_name: z.string().nullable(),
    tag: z.string().nullable().meta({
      description: 'With `by=tag`; null for watches without a tag, deleted watches and own calls',
    }),
    ...sumFields,
  })
  .meta({ id: 'UsageRow', description: 'Fields that the group does not have are null' });

/** A sum in pulls and dollars. */
export function usageSumJson({ micropulls, calls }: UsageSum): z.infer<typeof usageSumSchema> {
  const dollars = Math.round(micropulls * flatPricePerPull) / 1_000_000;
  return { pulls: micropulls / 1_000_000, dollars, calls };
}

/** One row of the totals. */
export function usageRowJson(row: UsageRow): z.infer<typeof usageRowSchema> {
  const { day, eventId, facts, subject, watch, tag } = row;
  return {
    day,
    event_id: eventId,
    event_name: facts?.name ?? null,
    event_date: facts?.date ?? null,
    subject,
    watch_id: watch?.watchId ?? null,
    watch_name: watch?.name ?? null,
    tag,
    ...usageSumJson(row),
  };
}

/** The columns of the file: those that its group has. */
const columnsBy = {
  day: ['day'],
  event: ['event_id', 'event_name', 'event_date'],
  watch: ['subject', 'watch_id', 'watch_name', 'event_id', 'event_name', 'event_date'],
  tag: ['tag'],
} as const;
const sums = ['pulls', 'dollars', 'calls'] as const;

/** Cells that a spreadsheet is to read as numbers and dates. */
const numeric: ReadonlySet<string> = new Set(['day', 'event_id', 'event_date', ...sums]);

/** The totals as CSV. */
export function usageCsv(
  rows: readonly UsageRow[],
  by: keyof typeof columnsBy,
  form: Parameters<typeof writeCsv>[1],
): string {
  const columns = [...columnsBy[by], ...sums];
  const lines = rows.map((row) => {
    const cells = usageRowJson(row);
    return columns.map((column) => {
      const cell = String(cells[column] ?? '');
      return numeric.has(column) ? cell : asText(cell);
    });
  });
  return writeCsv([columns, ...lines], form);
}
