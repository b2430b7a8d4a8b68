// The query parameters of a CSV answer.
import * as z from 'zod';

export const csvParams = {
  for: z.enum(['excel']).optional().meta({
    description: 'CSV: begins with a byte order mark, by which Excel knows the letters',
  }),
  separator: z.enum(['comma', 'semicolon', 'tab']).default('comma').meta({
    description:
      'CSV: what is between the cells. Excel wants a semicolon where the decimal separator is a comma.',
  }),
};
