/**
 * Moves the functions back to the versions that ran at an earlier time. CloudFormation moves them, by parameters of the
 * same template, so that the next deployment begins from what runs. Tables, queues and permissions stay as they are.
 */
import {
  type FunctionConfiguration,
  GetAliasCommand,
  type LambdaClient,
  paginateListVersionsByFunction,
} from '@aws-sdk/client-lambda';
import { type FunctionName, functionNames } from '../access.ts';
import { liveAlias, paceParameter, pinParameterOf, type ReleasePace } from '../releases.ts';
import type { OperatorClients } from './aws-connection.ts';
import type { Waiting } from './change-set.ts';
import { resourcesOf } from './stack.ts';
import { updateParameters } from './update-parameters.ts';

/** A function, what it runs, and what it ran at the time. */
export interface VersionMove {
  readonly name: FunctionName;
  readonly from: string;
  /** Undefined: the function has no version of that time. */
  readonly to: string | undefined;
}

/** Each function of the stack. @param at epoch milliseconds */
export async function planRollback(
  stackName: string,
  at: number,
  clients: OperatorClients,
): Promise<VersionMove[]> {
  const resources = await resourcesOf(stackName, clients);
  const functions = resources.filter(
    ({ ResourceType }) => ResourceType === 'AWS::Lambda::Function',
  );
  const moves = await Promise.all(
    functions.map(({ PhysicalResourceId = '' }) => moveOf(PhysicalResourceId, at, clients.lambda)),
  );
  return moves.flatMap((move) => move ?? []);
}

/**
 * Pins the functions to their versions, at once, whatever alarm rings.
 * @throws OperatorError with each failed resource
 */
export async function rollBack(
  stackName: string,
  moves: readonly VersionMove[],
  waiting: Waiting & Pick<OperatorClients, 'cloudFormation'>,
): Promise<void> {
  const pins = moves.flatMap(({ name, to }) =>
    to === undefined ? [] : [[pinParameterOf(name), to]],
  );
  const changed: Record<string, string> = {
    ...Object.fromEntries(pins),
    [paceParameter]: 'at-once' satisfies ReleasePace,
  };
  await updateParameters(stackName, changed, waiting);
}

async function moveOf(
  FunctionName: string,
  at: number,
  client: LambdaClient,
): Promise<VersionMove | undefined> {
  const versions: FunctionConfiguration[] = [];
  for await (const page of paginateListVersionsByFunction({ client }, { FunctionName })) {
    versions.push(...(page.Versions ?? []));
  }
  const name = nameOf(versions);
  if (name === undefined) return undefined;
  const { FunctionVersion: from = '' } = await client.send(
    new GetAliasCommand({ FunctionName, Name: liveAlias }),
  );
  const current = versions.find(({ Version }) => Version === from)?.Environment?.Variables;
  const earlier = versions.filter(
    ({ Version, LastModified = '', Environment }) =>
      Version !== '$LATEST' &&
      Date.parse(LastModified) < at &&
      // A version from before a restore has the tables from before it.
      tablesIn(Environment?.Variables) === tablesIn(current),
  );
  const numbers = earlier.map(({ Version }) => Number(Version));
  return { name, from, to: numbers.length > 0 ? String(Math.max(...numbers)) : undefined };
}

/** By the name of its service; undefined for a function that is not of the product. */
function nameOf(versions: readonly FunctionConfiguration[]): FunctionName | undefined {
  const services = versions.map(
    ({ Environment }) => Environment?.Variables?.POWERTOOLS_SERVICE_NAME,
  );
  return functionNames.find((name) => services.includes(`getin-${name}`));
}

/** The names of the tables in a version's environment. */
function tablesIn({ WATCHLIST_TABLE = '', SNAPSHOTS_TABLE = '' }: Record<string, string> = {}) {
  return `${WATCHLIST_TABLE} ${SNAPSHOTS_TABLE}`;
}
