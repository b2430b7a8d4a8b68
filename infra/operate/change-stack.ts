/**
 * Plans a deployment as a change set, says what it would change, and executes it if a person agreed. The CDK makes
 * the change set, because it uploads the code; nothing of the stack changes before the end of this file.
 */
import type { Stage } from '../config.ts';
import { type ChangeSet, discardChangeSet, executeChangeSet, readChangeSet } from './change-set.ts';
import { type PlannedChanges, wordChanges } from './change-words.ts';
import type { Deployment, DeployTools } from './deployment.ts';
import { protectionParameters } from './protect-stack.ts';
import { releaseParameters, settingsFingerprint } from './release-parameters.ts';

/** @returns an exit code: 0 if the stack is as asked, or was only looked at; 2 if a person has to agree first */
export async function changeStack(deployment: Deployment, tools: DeployTools): Promise<number> {
  const { request, stackName, stack } = deployment;
  const { say } = tools;
  if (!stack) say(`Stack ${stackName} is not there: all of its resources would be new.`);
  if (!stack && request.isCheck) return 0;
  if (!stack && needsConsent(request)) return askForConsent(tools);
  const name = `deploy-${tools.now()}`;
  const code = await tools.runCdk(planningFlags(deployment, name));
  if (code !== 0) return code;
  const { cloudFormation } = tools.clients;
  const changeSet = await readChangeSet(cloudFormation, stackName, name);
  if (!changeSet) {
    say('Nothing in the stack would change.');
    return 0;
  }
  if (await mayExecute(deployment, changeSet, tools)) {
    await executeChangeSet(cloudFormation, { stackName, id: changeSet.id }, tools);
    return 0;
  }
  await discardChangeSet(cloudFormation, changeSet);
  return request.isCheck ? 0 : 2;
}

function planningFlags(deployment: Deployment, changeSetName: string): string[] {
  const { request, stackName, stack } = deployment;
  const parameters = {
    ...request.parameters,
    ...protectionParameters(deployment),
    ...releaseParameters(stack, request.pace),
  };
  const fingerprint = settingsFingerprint(stack, request.parameters);
  return [
    ...['deploy', stackName, '-c', `stage=${request.stage}`, '-c', `settings=${fingerprint}`],
    ...['--method', 'prepare-change-set', '--change-set-name', changeSetName],
    // The CDK would ask before it plans; this command asks before it deploys.
    ...['--require-approval', 'never'],
    ...Object.entries(parameters).flatMap(([name, value]) => ['--parameters', `${name}=${value}`]),
  ];
}

/** Says what would change. @returns whether it may happen */
async function mayExecute(
  { request, stack, stackName }: Deployment,
  { changes, parameters: after }: ChangeSet,
  tools: DeployTools,
): Promise<boolean> {
  const planned = wordChanges(changes, { before: stack?.parameters ?? {}, after });
  if (stack) sayChanges(planned, stackName, tools);
  else tools.say(`${changes.length} resources.`);
  const isLoss = planned.losses.length > 0;
  if (isLoss && !request.acceptsLoss) {
    tools.complain('Nothing was deployed. To deploy in spite of the losses, give --accept-loss.');
    return false;
  }
  if (request.isCheck) return false;
  const isSerious = planned.isDestructive || planned.permissions.length > 0;
  if (!needsConsent(request, stack !== undefined && isSerious)) return true;
  askForConsent(tools);
  return false;
}

function sayChanges(planned: PlannedChanges, stackName: string, tools: DeployTools): void {
  const { lines, losses, permissions } = planned;
  tools.say(`Stack ${stackName} would change:`);
  for (const line of lines) tools.say(`  ${line}`);
  for (const line of permissions) tools.say(`  more permissions: ${line}`);
  for (const loss of losses) tools.complain(`loss: ${loss}.`);
}

function needsConsent(
  { stage, isConfirmed }: { stage: Stage; isConfirmed: boolean },
  isSerious = false,
): boolean {
  return !isConfirmed && (stage === 'prod' || isSerious);
}

function askForConsent({ complain }: DeployTools): number {
  complain('Nothing was deployed. To deploy this, give --yes.');
  return 2;
}
