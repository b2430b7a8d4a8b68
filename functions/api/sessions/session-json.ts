// Sessions as the API reads and answers them.
import * as z from 'zod';
import { keyJsonSchema } from '../keys/key-json.ts';

const secret = z.string().trim().min(1).max(200);

/** The body of `POST /v1/sessions`. */
export const beginSessionSchema = z
  .strictObject({
    key: secret.optional().meta({ description: 'An API key, getin_…' }),
    link_token: secret
      .optional()
      .meta({ description: 'What follows the # of a one-time link, in place of the key' }),
  })
  .refine(({ key, link_token: token }) => (key === undefined) !== (token === undefined), {
    error: 'must have either `key` or `link_token`',
  })
  .meta({ id: 'SessionRequest' });

export const sessionJsonSchema = z
  .object({
    key: keyJsonSchema,
    expires_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the session ends at the latest; null for a request with a key' }),
  })
  .meta({ id: 'Session', description: 'The key of a session or a request' });

export const signInLinkSchema = z
  .object({ url: z.url(), expires_at: z.iso.datetime() })
  .meta({ id: 'SignInLink' });
