// Dynalite without HTTP: commands go to its validation and its actions as values.
import { setImmediate as turn } from 'node:timers/promises';
import { noDelays } from '#infra/local/emulators/open-dynalite.ts';
import { requireFromDynalite } from '#infra/local/emulators/require-from-dynalite.ts';
import { type CarryOut, exceptionOf } from './direct-client.ts';
import { toWire, type Wire } from './dynamodb-wire.ts';

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
