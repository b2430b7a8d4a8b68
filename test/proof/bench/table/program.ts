// The description of a program for the table of figures: its command, and the claims in its last line.
import * as z from 'zod';

/** One row of the table: a figure that this project claims. */
export interface Claim {
  /** The measured quantity, in words. */
  figure: string;
  /** The figure with its unit, for people. */
  measured: string;
  /** The target, if there is one. */
  asked?: string;
  /** The same figure of a competitor in the same run. */
  peer?: string;
}

export interface Program {
  name: string;
  /** The command of `npm run bench`, and the arguments for the short form. */
  run: string;
  quickFlags: string;
  /** Duration of the long form, for people. */
  minutes: number;
  /** @throws when the last line has changed its form, so that no claim disappears unnoticed. */
  claimsOf: (lastLine: unknown) => Claim[];
}

/** Ties a program's claims to the type of its last line. */
export function program<Schema extends z.ZodType>(
  about: Omit<Program, 'claimsOf' | 'quickFlags'> & {
    quickFlags?: string;
    schema: Schema;
    claims: (figures: z.infer<Schema>) => Claim[];
  },
): Program {
  const { schema, claims, quickFlags = '--quick', ...rest } = about;
  return { ...rest, quickFlags, claimsOf: (lastLine) => claims(schema.parse(lastLine)) };
}

const skippedSchema = z.object({ skipped: z.literal(true) });

/** Whether a last line says that the program had no data to measure: its earlier figures stay valid. */
export function wasSkipped(lastLine: unknown): boolean {
  return skippedSchema.safeParse(lastLine).success;
}

/** Grouped thousands; at most `digits` decimals. */
export function numeral(value: number, digits = 0): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: digits });
}
