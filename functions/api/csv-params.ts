// The query parameters of a list that is also given as a CSV file.
import * as z from 'zod';
import type { writeCsv } from './watches/csv-table.ts';

export const csvParams = {
  format: z.enum(['json', 'csv']).default('json'),
  for: z.enum(['excel']).optional().meta({
    description: 'CSV: begins with a byte order mark, by which Excel knows the letters',
  }),
  separator: z.enum(['comma', 'semicolon', 'tab']).default('comma').meta({
    description:
      'CSV: what is between the cells. Excel wants a semicolon where the decimal separator is a comma.',
  }),
};

type CsvQuery = z.infer<z.ZodObject<typeof csvParams>>;

/** The form of the file. */
export function csvForm(query: CsvQuery): NonNullable<Parameters<typeof writeCsv>[1]> {
  return { separator: query.separator, isMarked: query.for === 'excel' };
}
