// Every state change is one conditional write of one item; this turns "the condition did not hold"
// into a plain answer.
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';

/**
 * Runs a conditional write.
 * @returns false when the item was not in the expected state and nothing was written.
 */
export async function writeIf(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
