/**
 * Makes the stack follow the new tables: functions, permissions, alarms, dashboard and outputs, by parameters. The CDK
 * plans it as a deployment, because a version of a function keeps the variables that it was made with.
 */
import { ownTable, restoredParameters } from '../../restored-names.ts';
import { changeStack } from '../change-stack.ts';
import { OperatorError } from '../command.ts';
import type { StagePlace } from '../place.ts';
import { describeStack, isDeployed, resourcesOf } from '../stack.ts';
import type { PlannedTable } from './plan-tables.ts';
import type { RestoreRequest } from './restore-request.ts';
import type { RestoreTools } from './restore-tools.ts';

/** @throws OperatorError with each failed resource, or if the plan would lose something */
export async function followTables(
  planned: readonly PlannedTable[],
  { request, stackName, place }: { request: RestoreRequest; stackName: string; place: StagePlace },
  tools: RestoreTools,
): Promise<void> {
  const { clients } = tools;
  const stack = await describeStack(stackName, clients);
  if (!isDeployed(stack)) throw new OperatorError(`There is no stack ${stackName} any more.`);
  const resources = await resourcesOf(stackName, clients);
  const own = resources.flatMap(({ ResourceType, PhysicalResourceId = '' }) =>
    ResourceType === 'AWS::DynamoDB::Table' ? [PhysicalResourceId] : [],
  );
  const parameters = Object.fromEntries(
    planned.map(({ table, to }) => [restoredParameters[table], own.includes(to) ? ownTable : to]),
  );
  if (Object.entries(parameters).every(([name, value]) => stack.parameters[name] === value)) return;
  const { pin } = request;
  const asked = { pin, stage: pin.stage, parameters, keyVariable: '', pace: 'at-once' as const };
  const consent = { isCheck: false, isConfirmed: true, acceptsLoss: false };
  const deployment = { request: { ...asked, ...consent }, stackName, place, stack };
  if ((await changeStack(deployment, tools)) === 0) return;
  throw new OperatorError(
    'The stack does not follow the new tables yet, and stands still. Check out the commit that is deployed, and run the same command again.',
  );
}
