// Repeats a change that met another change of the same item, where the client asked for no certain version.
import { ProblemError } from '../problem.ts';

const mostTries = 8;

/**
 * Runs a change that reads the item and writes it if it is unchanged. If another request was first, the
 * change runs again on the newer version, unless If-Match names a version.
 * @throws ProblemError 412 when the version in If-Match is old, or after eight lost tries.
 */
export async function retryStale<T>(
  ifMatch: readonly string[] | undefined,
  change: () => Promise<T>,
): Promise<T> {
  const namesVersion = ifMatch !== undefined && !ifMatch.includes('*');
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await change();
    } catch (error) {
      const isStale = error instanceof ProblemError && error.status === 412;
      if (!isStale || namesVersion || attempt === mostTries) throw error;
    }
  }
}
