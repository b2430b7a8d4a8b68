// Which release this process runs: a fault that one release met may be gone with the next.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * A hash of the bundle that this module is in, so that it changes exactly when the deployed code does.
 * Not bundled, it is a hash of this file alone. Read once, at cold start.
 */
export function readRelease(): string {
  const code = readFileSync(import.meta.filename);
  return createHash('sha256').update(code).digest('hex').slice(0, 16);
}
