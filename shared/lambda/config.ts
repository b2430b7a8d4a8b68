// The one place that reads the environment: each function parses its own schema once, at cold start.
import * as z from 'zod';

/** Thrown at cold start when a function's environment is incomplete; the deployment is at fault. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** A variable that must be set and not empty. */
export const required = z.string().min(1, 'must be set');

/** An absolute http(s) URL without a trailing slash, to which paths can be added. */
export const httpAddress = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .refine((address) => !/[?#@\s]/.test(address), {
    error: 'must have no user name, query or fragment',
  })
  .transform((address) => address.replace(/\/+$/, ''));

/**
 * Parses the environment by a function's schema.
 * @throws ConfigError that names every faulty variable, never its value.
 */
export function readConfig<Schema extends z.ZodType>(
  schema: Schema,
  environment: Record<string, string | undefined> = process.env,
): z.infer<Schema> {
  // Zod compiles a parser at the first use of a schema, which takes longer than this only use of it.
  const parsed = schema.safeParse(environment, { jitless: true });
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new ConfigError(`invalid environment: ${faults.join('; ')}`);
}
