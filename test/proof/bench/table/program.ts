// What the table of figures needs to know of a program: how it is run, and which claims its last line carries.
import * as z from 'zod';

/** One row of the table: a figure that this project claims. */
export interface Claim {
  /** What was measured, in words. */
  figure: string;
  /** With its unit, as a person reads it. */
  measured: string;
  /** What was asked for, where something was. */
  asked?: string;
  /** The same done by something else in the same run. */
  peer?: string;
}

export interface Program {
  name: string;
  /** What `npm run bench` runs, and what it appends for the short form. */
  run: string;
  quickFlags: string;
  /** How long the long form takes, for whoever waits. */
  minutes: number;
  /** @throws when the program's last line is not what it was: a claim must not vanish unseen. */
  claimsOf: (lastLine: unknown) => Claim[];
}

/** Ties a program's claims to the shape of its last line. */
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

/** Grouped thousands; at most `digits` after the point. */
export function numeral(value: number, digits = 0): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: digits });
}
