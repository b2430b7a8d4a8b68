// Every state change is one conditional write of one item; this turns a failed condition
// into `false`. Also handles writes that meet a damaged stored attribute.
import {
  ConditionalCheckFailedException,
  DynamoDBServiceException,
} from '@aws-sdk/client-dynamodb';
import { reasonOf, reportFault } from '#shared/fault-report.ts';

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

/**
 * The condition that a stored number is still the one that was read. It also holds if the stored value
 * is not a number, so that a write can replace a damaged value.
 */
export function isStillOrNoNumber<Name extends string>(attr: Name, value: number) {
  return { or: [{ attr, eq: value }, isNoNumber(attr)] };
}

/** The condition that a stored attribute is missing or not a number. */
export function isNoNumber<Name extends string>(attr: Name) {
  return { not: { attr, type: 'N' as const } };
}

/**
 * Runs a write that computes with stored values. If one of them is damaged, DynamoDB refuses the
 * write every time: then the fault is reported, and `otherwise` writes without computing.
 */
export async function writeOrReplace<Answer>(
  { what, ids }: { what: string; ids: Readonly<Record<string, string>> },
  write: () => Promise<Answer>,
  otherwise: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof DynamoDBServiceException) || error.name !== 'ValidationException') {
      throw error;
    }
    const reason = `The stored ${what} can't be counted on: ${reasonOf(error)}`;
    reportFault({ thing: 'stored_item', reason, ids, error });
    return otherwise();
  }
}
