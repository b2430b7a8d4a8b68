// A document client whose commands an emulator carries out as values, without HTTP. The AWS client's codec, signature
// and retries took as much of a test's time as dynalite itself; test/shared/lambda and the local runs of test/e2e have
// them.
import * as sdk from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { documentClient } from '#shared/dynamo/document-client.ts';
import { fromWire, type Wire } from './dynamodb-wire.ts';

/** Carries out an operation of DynamoDB, by its name in the API. */
export type CarryOut = (operation: string, input: object) => Promise<Wire>;

/** A document client whose commands an emulator carries out. */
export function directClient(carryOut: CarryOut): DynamoDBDocumentClient {
  const raw = new sdk.DynamoDBClient({
    ...{ endpoint: 'http://dynamodb.invalid', region: 'us-east-1' },
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  dropUnused(raw);
  const client = documentClient(raw);
  client.middlewareStack.addRelativeTo(
    (_next: unknown, { commandName = '' }: { commandName?: string }) =>
      async ({ input }: { input: object }) => ({
        output: fromWire(await carryOut(commandName.replace(/Command$/, ''), input)) as never,
        response: {},
      }),
    { name: 'carryOut', relation: 'after', toMiddleware: 'DocumentMarshall' },
  );
  return client;
}

/** Each command copies and sorts the client's middleware; only those that the document client's stand beside must be. */
function dropUnused({ middlewareStack }: sdk.DynamoDBClient): void {
  for (const described of middlewareStack.identify()) {
    const [name = ''] = described.split(' ', 1);
    if (!/^(de)?serializerMiddleware$/.test(name)) middlewareStack.remove(name);
  }
}

/** The exception that the AWS client throws for an error's body. */
export function exceptionOf({ __type, message, Message, ...also }: Wire): Error {
  const name = String(__type).replace(/^.*#/, '');
  const text = String(message ?? Message ?? '');
  const said = { message: text, $metadata: { httpStatusCode: 400 }, ...also };
  const Exception = (sdk as unknown as Record<string, unknown>)[name];
  if (typeof Exception === 'function') return new (Exception as new (of: object) => Error)(said);
  return new sdk.DynamoDBServiceException({ ...said, name, $fault: 'client' });
}
