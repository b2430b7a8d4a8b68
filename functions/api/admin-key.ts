// The admin key in Secrets Manager. It is made at deploy and stored in two parts, because a generated secret
// can't have a prefix of its own.
import * as z from 'zod';

const adminSecretSchema = z.object({ prefix: z.string(), secret: z.string().min(32) });

/**
 * A reader of the API key, joined from prefix and secret.
 * @throws when the secret has another shape.
 */
export function createAdminKeyReader(readSecret: () => Promise<string>): () => Promise<string> {
  return async function readAdminKey() {
    const { prefix, secret } = adminSecretSchema.parse(JSON.parse(await readSecret()));
    return `${prefix}${secret}`;
  };
}
