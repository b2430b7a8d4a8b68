/**
 * The part of IAM's policy language that role statements here may use, and its evaluation. Refuses
 * unknown parts when it reads a statement; never ignores them.
 */
import * as z from 'zod';

const oneOrMore = z.union([z.string(), z.array(z.string())]).transform((given) => [given].flat());

/** The condition keys that a call here has a value for. */
const conditionKeys = z.strictObject({ 'ses:FromAddress': oneOrMore.optional() });

export const statementSchema = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(['Allow', 'Deny']),
  Action: oneOrMore,
  Resource: oneOrMore,
  Condition: z.strictObject({ StringEquals: conditionKeys }).optional(),
});
export type Statement = z.infer<typeof statementSchema>;

export const policyDocumentSchema = z.strictObject({
  Version: z.literal('2012-10-17'),
  Statement: z.array(statementSchema),
});

export interface AccessRequest {
  /** For example `dynamodb:GetItem`. */
  action: string;
  /** An ARN; `*` for an action without a resource. */
  resource: string;
  /** Values of condition keys. */
  context: Readonly<Record<string, string | undefined>>;
}

/** Decides as IAM does: a denial wins, and anything not allowed is denied. */
export function isAllowed(statements: readonly Statement[], access: AccessRequest): boolean {
  const fitting = statements.filter((statement) => fits(statement, access));
  return fitting.length > 0 && fitting.every(({ Effect }) => Effect === 'Allow');
}

function fits({ Action, Resource, Condition }: Statement, access: AccessRequest): boolean {
  return (
    Action.some((pattern) => isLike(pattern.toLowerCase(), access.action.toLowerCase())) &&
    Resource.some((pattern) => isLike(pattern, access.resource)) &&
    Object.entries(Condition?.StringEquals ?? {}).every(([key, values]) =>
      values?.includes(access.context[key] ?? ''),
    )
  );
}

/** `*` is any run of characters, `?` any single one. */
function isLike(pattern: string, text: string): boolean {
  if (!/[*?]/.test(pattern)) return pattern === text;
  const escaped = pattern.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's').test(text);
}
