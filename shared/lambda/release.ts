// Identifies the release of this process: a fault that one release had may be fixed in the next.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * A hash of the bundle's entry, which contains this module and names each chunk by its hash, so that it changes exactly
 * when the deployed code does. Unbundled, it is a hash of this file only. Read once, at cold start.
 */
export function readRelease(): string {
  const code = readFileSync(import.meta.filename);
  return createHash('sha256').update(code).digest('hex').slice(0, 16);
}
