/** A rollback from the question to the answer. Knows no flags; rollback.ts reads them. */
import { OperatorError, stackNameOf } from './command.ts';
import type { DeployTools } from './deployment.ts';
import { instantOf } from './instant.ts';
import { enterPlace, type Pin } from './place.ts';
import { pinsOf } from './release-parameters.ts';
import { planRollback, rollBack, type VersionMove } from './roll-back.ts';
import { type DeployedStack, describeStack, isDeployed } from './stack.ts';

export interface RollbackRequest {
  readonly pin: Pin;
  /** An ISO 8601 instant; undefined: just before the last deployment. */
  readonly at: string | undefined;
  readonly isCheck: boolean;
  readonly isConfirmed: boolean;
}

export const rollbackUsage = `npm run rollback -- [--stage dev|prod] [--at TIME] [--check] [--yes]

Each function runs again the version that it ran before the last deployment, or at TIME, such as
2026-11-30T08:00:00Z. Settings that functions read go back with them. Tables, queues, permissions and
alarms stay as they are. The next deployment runs the newest code again.

  --check   look only: says which versions would run
  --yes     needed for prod`;

/** @returns an exit code: 0 if the versions run, or were only looked at; 2 if a person has to agree first */
export async function runRollback(
  request: RollbackRequest,
  tools: Omit<DeployTools, 'runCdk' | 'now'>,
): Promise<number> {
  const { stage } = request.pin;
  const stackName = stackNameOf(stage);
  const { accountId, region } = await enterPlace(request.pin, tools.clients);
  const stack = await describeStack(stackName, tools.clients);
  if (!isDeployed(stack)) {
    throw new OperatorError(`There is no stack ${stackName} in account ${accountId}, ${region}.`);
  }
  const at = timeOf(request.at, stack);
  const moves = await planRollback(stackName, at, tools.clients);
  const changing = moves.filter(({ from, to }) => to !== undefined && to !== from);
  for (const line of wordMoves(moves, at)) tools.say(line);
  if (request.isCheck || changing.length === 0) return 0;
  if (stage === 'prod' && !request.isConfirmed) {
    tools.complain('Nothing was rolled back. To roll this back, give --yes.');
    return 2;
  }
  const { cloudFormation } = tools.clients;
  const { say, wait } = tools;
  await rollBack(stackName, changing, { cloudFormation, say, wait });
  say('The functions run these versions until the next deployment.');
  return 0;
}

/** Without a time: before the last update of the stack, unless that was a rollback itself. */
function timeOf(given: string | undefined, stack: DeployedStack): number {
  if (given === undefined && pinsOf(stack).length === 0) return stack.changedAt.getTime();
  if (given === undefined) {
    throw new OperatorError(
      'The last change of the stack was a rollback: name the time to go back to, such as --at 2026-11-30T08:00:00Z.',
    );
  }
  return instantOf('--at', given);
}

function wordMoves(moves: readonly VersionMove[], at: number): string[] {
  const time = new Date(at).toISOString();
  const lines = moves.flatMap(({ name, from, to }) => {
    if (to === undefined) return [`  ${name} has no version from before; version ${from} stays`];
    return to === from ? [] : [`  ${name}: version ${from} → ${to}`];
  });
  if (lines.length === 0) return [`Every function already runs what it ran before ${time}.`];
  return [`To what ran before ${time}:`, ...lines];
}
