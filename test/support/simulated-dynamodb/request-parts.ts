// What a request asks and what it is answered, as far as they are simulated.
import type { StoredItem } from './attribute-values.ts';
import type { Bindings } from './paths.ts';
import type { WrittenUnits } from './simulated-table.ts';

/** The parts of a request that are read here. */
export interface Input {
  TableName?: string;
  Key?: StoredItem;
  Item?: StoredItem;
  ConditionExpression?: string;
  UpdateExpression?: string;
  KeyConditionExpression?: string;
  FilterExpression?: string;
  ProjectionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: StoredItem;
  ReturnValues?: string;
  ConsistentRead?: boolean;
  IndexName?: string;
  ScanIndexForward?: boolean;
  Limit?: number;
  Select?: string;
  ExclusiveStartKey?: StoredItem;
  RequestItems?: Record<string, { Keys: StoredItem[]; ConsistentRead?: boolean }>;
}

/** An answer as JSON, and what it cost. */
export interface Answer {
  text: string;
  /** Bytes that were read from the tables, before filters and projections. */
  readBytes: number;
  reads: { place: string; units: number }[];
  writes: WrittenUnits[];
}

export function bindingsOf({
  ExpressionAttributeNames: names = {},
  ExpressionAttributeValues: values = {},
}: Input): Bindings {
  return { names, values };
}

/** Units of a read: half of them if it need not be consistent. */
export function readUnits(bytes: number, isConsistent: boolean | undefined): number {
  const units = Math.max(1, Math.ceil(bytes / 4_096));
  return isConsistent ? units : units / 2;
}
