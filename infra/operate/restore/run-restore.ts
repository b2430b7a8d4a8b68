/** A restore from the question to the answer. Knows no flags; restore-request.ts reads them. */
import { timing } from '#shared/timing.ts';
import { type WorkState, workParameter } from '../../restored-names.ts';
import { OperatorError, stackNameOf } from '../command.ts';
import { enterPlace } from '../place.ts';
import { type DeployedStack, describeStack, isDeployed } from '../stack.ts';
import { updateParameters } from '../update-parameters.ts';
import { followTables } from './follow-tables.ts';
import { makeTables } from './make-tables.ts';
import { describeTable, needsDeployment, type PlannedTable, planTables } from './plan-tables.ts';
import type { RestoreRequest } from './restore-request.ts';
import type { RestoreTools } from './restore-tools.ts';
import { wordOutcome, wordPlan } from './restore-words.ts';

/**
 * Each step looks whether it is done already, so a repeat goes on where the last run stopped.
 * @returns an exit code: 0 if the stack works with the tables, or was only looked at; 2 if a person has to agree first
 */
export async function runRestore(request: RestoreRequest, tools: RestoreTools): Promise<number> {
  const { clients, say } = tools;
  const stackName = stackNameOf(request.pin.stage);
  const place = await enterPlace(request.pin, clients);
  const stack = await readyStack(stackName, place, tools);
  const { dynamoDb } = clients;
  const planned = await planTables(request, { stackName, stack, dynamoDb });
  const isHalted = stack.parameters[workParameter] === ('halted' satisfies WorkState);
  if (planned.length === 0) return stay(stackName, isHalted, tools);
  if (!isHalted && planned.every(({ isInUse }) => isInUse)) {
    say('The stack already works with the tables of that time.');
    return 0;
  }
  for (const line of wordPlan(planned, request, isHalted)) say(line);
  if (request.isCheck) return 0;
  if (!request.isConfirmed) {
    tools.complain('Nothing was restored. To do this, give --yes.');
    return 2;
  }
  if (!isHalted) await halt(stackName, tools);
  if (request.at !== undefined) {
    await makeTables(planned, { at: request.at, stage: request.pin.stage }, tools);
  }
  await catchUp(planned, request, tools);
  await followTables(planned, { request, stackName, place }, tools);
  await setWork(stackName, 'on', tools);
  say('Everything works again. To undo this: npm run restore -- --back, with the same --stage.');
  return 0;
}

/** Goes on with today's tables, if a restore or a way back was given up. */
async function stay(stackName: string, isHalted: boolean, tools: RestoreTools): Promise<number> {
  if (!isHalted) {
    throw new OperatorError('No table of the stack was restored, so there is no way back to go.');
  }
  await setWork(stackName, 'on', tools);
  tools.say('Everything works again, with the tables of the stack.');
  return 0;
}

/** @throws OperatorError if there is no stack, or it can't be changed now */
async function readyStack(
  stackName: string,
  { accountId, region }: { accountId: string; region: string },
  { clients }: RestoreTools,
): Promise<DeployedStack> {
  const stack = await describeStack(stackName, clients);
  if (!isDeployed(stack)) {
    throw new OperatorError(`There is no stack ${stackName} in account ${accountId}, ${region}.`);
  }
  const { status, parameters } = stack;
  if (status.endsWith('_IN_PROGRESS')) {
    throw new OperatorError(
      `Stack ${stackName} is in the middle of a change (${status}): run this again after it.`,
    );
  }
  if (!status.endsWith('_COMPLETE')) {
    throw new OperatorError(
      `Stack ${stackName} is ${status}: bring it to a complete state in CloudFormation first.`,
    );
  }
  if (parameters[workParameter] === undefined) throw new OperatorError(needsDeployment);
  return stack;
}

/** Schedules, queues and the API stop; then whatever runs comes to its end. */
async function halt(stackName: string, tools: RestoreTools): Promise<void> {
  tools.say('Schedules, queues and the API stop. Messages wait in their queues for up to 4 days.');
  await setWork(stackName, 'halted', tools);
  const longest = Math.max(...Object.values(timing.timeoutSeconds));
  tools.say(`Waiting ${longest} s for what still runs.`);
  await tools.wait(longest * 1_000);
}

async function setWork(stackName: string, work: WorkState, tools: RestoreTools): Promise<void> {
  const { cloudFormation } = tools.clients;
  await updateParameters(stackName, { [workParameter]: work }, { ...tools, cloudFormation });
}

/** Brings the Watchlist table up to date, as long as nothing uses it. */
async function catchUp(
  planned: readonly PlannedTable[],
  request: RestoreRequest,
  { clients, bringUpToDate, say, now }: RestoreTools,
): Promise<void> {
  const watchlist = planned.find(({ table }) => table === 'watchlist');
  if (!watchlist) return;
  const { from, to } = watchlist;
  // The restored table was made right after everything stood still.
  const newer = await describeTable(clients.dynamoDb, request.at === undefined ? from : to);
  const madeAt = newer?.CreationDateTime?.getTime() ?? now();
  const moments =
    request.at === undefined
      ? { to: madeAt, stoppedAt: now() }
      : { to: request.at, stoppedAt: madeAt };
  const done = await bringUpToDate({ restored: to, witness: from, ...moments, say });
  for (const line of wordOutcome(done)) say(line);
}
