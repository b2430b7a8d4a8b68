// Reads of stored items that may be damaged: what one of them hides is left out of an answer, so that the
// rest of the answer can be given. The troubles of the watch name the damaged item.
import { isTransient } from '#shared/lambda/transient.ts';

/**
 * What was read, or undefined where it cannot be read.
 * @throws the failure, where it would pass by itself.
 */
export async function unlessDamaged<Found>(
  reading: Promise<Found>,
  onDamaged: () => void = () => {},
): Promise<Found | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isTransient(error)) throw error;
    onDamaged();
    return undefined;
  }
}
