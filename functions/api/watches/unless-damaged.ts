// Reads stored items that may be damaged. A damaged item is left out of the answer, so that the
// rest can be given. The watch's troubles name the damaged item.
import { isTransient } from '#shared/lambda/transient.ts';

/**
 * The result of the read, or undefined if the item cannot be read.
 * @throws the failure if it is transient.
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
