// The document client of all stores: it drops undefined attributes instead of refusing them, and stores numbers that
// are too near to 0 as 0.
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { withoutTinyNumbers } from './tiny-numbers.ts';

/** Wraps a client of the AWS SDK. */
export function documentClient(client: DynamoDBClient): DynamoDBDocumentClient {
  const documents = DynamoDBDocumentClient.from(client, {
    marshallOptions: { removeUndefinedValues: true },
  });
  documents.middlewareStack.add(
    (next) => (args) => next({ ...args, input: withoutTinyNumbers(args.input) }),
    // Before the values become DynamoDB's.
    { name: 'withoutTinyNumbers', step: 'initialize', priority: 'high' },
  );
  return documents;
}
