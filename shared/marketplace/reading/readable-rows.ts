/**
 * How a list's members are read one by one, so that an unreadable one does not fail the others.
 */
import * as z from 'zod';

/** The needed fields of every page that has a cursor. */
export const pageNeeds = ['data', 'has_more', 'next_cursor'] as const;

/**
 * A page whose rows are read one by one: a row without the needed fields is left out and reported
 * in `oddRows`. A page without any readable row breaks the contract.
 */
export function rowByRow<Page extends z.ZodObject<{ data: z.ZodArray<z.ZodType> }>>(page: Page) {
  const row = page.shape.data.element;
  const shell = page.extend({ data: z.array(z.unknown()) });
  return shell.transform((value, context): z.infer<Page> & { oddRows: string[] } => {
    const rows: unknown[] = [];
    const oddRows: string[] = [];
    const issues: z.core.$ZodIssue[] = [];
    for (const [index, raw] of (value.data as unknown[]).entries()) {
      const { success, data, error } = row.safeParse(raw);
      const lostZones = success ? zonesIn(raw) - zonesIn(data) : 0;
      if (lostZones > 0) oddRows.push(`data[${index}].zones: ${lostZones} of them`);
      if (success) {
        rows.push(data);
        continue;
      }
      const [first] = error.issues;
      oddRows.push(`data[${index}].${first?.path.join('.') ?? ''}: ${first?.message ?? ''}`);
      issues.push(...error.issues.map((each) => ({ ...each, path: [index, ...each.path] })));
    }
    if (rows.length === 0) {
      for (const { path, message } of issues) {
        context.addIssue({ code: 'custom', path: ['data', ...path], message });
      }
    }
    // The page's own row schema has parsed each row.
    return { ...value, data: rows, oddRows } as z.infer<Page> & { oddRows: string[] };
  });
}

function zonesIn(row: unknown): number {
  const { zones } = Object(row) as { zones?: unknown };
  return Array.isArray(zones) ? zones.length : 0;
}

/** The readable members of a list; refuses a list whose members are all unreadable. */
export function readable<Member>(schema: z.ZodType<Member>) {
  return z.array(z.unknown()).transform((found, context) => {
    const results = found.map((raw) => schema.safeParse(raw));
    const read = results.flatMap((result) => (result.success ? [result.data] : []));
    if (read.length > 0) return read;
    for (const [index, { error }] of results.entries()) {
      for (const { path, message } of error?.issues ?? []) {
        context.addIssue({ code: 'custom', path: [index, ...path], message });
      }
    }
    return read;
  });
}
