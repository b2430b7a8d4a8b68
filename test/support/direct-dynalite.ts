// Dynalite without HTTP: a document client's commands go to its validation and its actions as values. The AWS client's
// codec, signature and retries took as much of a test's time as dynalite itself; test/shared/lambda and the local
// runs of test/e2e have them.
import { setImmediate as turn } from 'node:timers/promises';
import * as sdk from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { noDelays } from '#infra/local/emulators/open-dynalite.ts';
import { requireFromDynalite } from '#infra/local/emulators/require-from-dynalite.ts';
import { documentClient } from '#shared/dynamo/document-client.ts';
import { fromWire, toWire, type Wire } from './dynamodb-wire.ts';

type Done = (error: { statusCode?: number; body?: Wire } | null, answer?: Wire) => void;
type Action = (store: unknown, input: Wire, done: Done) => void;

/** The parts of dynalite that this file uses. */
interface Validation {
  types: object;
  custom?: unknown;
}
const dynaliteStore = requireFromDynalite('./db') as { create(options: object): unknown };
const validations = requireFromDynalite('./validations') as {
  checkTypes(input: Wire, types: object): Wire;
  checkValidations(input: Wire, types: object, custom: unknown, store: unknown): void;
};

const operations = [
  ...['BatchGetItem', 'BatchWriteItem', 'CreateTable', 'DeleteItem', 'DescribeTable'],
  ...['GetItem', 'PutItem', 'Query', 'Scan', 'UpdateItem'],
];
const known = new Map(
  operations.map((name) => {
    const file = `${name[0]?.toLowerCase()}${name.slice(1)}`;
    const action = requireFromDynalite(`./actions/${file}`) as Action;
    return [
      name,
      { action, validation: requireFromDynalite(`./validations/${file}`) as Validation },
    ];
  }),
);

/** Carries out an operation of DynamoDB, by its name in the API. */
export type CarryOut = (operation: string, input: object) => Promise<Wire>;

/** A new emulator without tables, in memory. */
export function openDirectDynalite(): CarryOut {
  const store = dynaliteStore.create(noDelays);

  return async function carryOut(operation, input) {
    const found = known.get(operation);
    if (!found) throw new Error(`No test has sent ${operation} before; add it to the operations.`);
    const { action, validation } = found;
    // It answers in a later turn of the event loop, as over a socket.
    await turn();
    const answer = await new Promise<Wire>((resolve, reject) => {
      try {
        const checked = validations.checkTypes(toWire(input) as Wire, validation.types);
        validations.checkValidations(checked, validation.types, validation.custom, store);
        action(store, checked, (error, body = {}) => (error ? reject(error) : resolve(body)));
      } catch (error) {
        reject(error);
      }
    }).catch((error: { body?: Wire }) => {
      throw error.body ? exceptionOf(error.body) : error;
    });
    await turn();
    return answer;
  };
}

/** A document client whose commands an emulator carries out. */
export function directClient(carryOut: CarryOut): DynamoDBDocumentClient {
  const raw = new sdk.DynamoDBClient({
    ...{ endpoint: 'http://dynalite.invalid', region: 'us-east-1' },
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  const client = documentClient(raw);
  client.middlewareStack.addRelativeTo(
    (_next: unknown, { commandName = '' }: { commandName?: string }) =>
      async ({ input }: { input: object }) => ({
        output: fromWire(await carryOut(commandName.replace(/Command$/, ''), input)) as never,
        response: {},
      }),
    { name: 'directDynalite', relation: 'after', toMiddleware: 'DocumentMarshall' },
  );
  return client;
}

/** The exception that the AWS client throws for an error's body. */
function exceptionOf({ __type, message, Message, ...also }: Wire): Error {
  const name = String(__type).replace(/^.*#/, '');
  const text = String(message ?? Message ?? '');
  const said = { message: text, $metadata: { httpStatusCode: 400 }, ...also };
  const Exception = (sdk as unknown as Record<string, unknown>)[name];
  if (typeof Exception === 'function') return new (Exception as new (of: object) => Error)(said);
  return new sdk.DynamoDBServiceException({ ...said, name, $fault: 'client' });
}
