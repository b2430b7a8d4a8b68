/**
 * Protects a production stack from deletion, and its tables. The tables are protected only once the stack is there: a
 * failed creation could not delete protected ones.
 */
import { UpdateTerminationProtectionCommand } from '@aws-sdk/client-cloudformation';
import type { Deployment, DeployTools } from './deployment.ts';
import { updateParameters } from './update-parameters.ts';

/** The template's parameter that protects the tables, and its value. */
const tableProtection = { TableProtection: 'on' } as const;

/** The parameters of a deployment that keep the protection of a stack that is there. */
export function protectionParameters({ request, stack }: Deployment): Record<string, string> {
  return request.stage === 'prod' && stack ? tableProtection : {};
}

/** After a deployment. Safe to repeat. */
export async function protectStack(deployment: Deployment, tools: DeployTools): Promise<void> {
  const { request, stackName: StackName, stack } = deployment;
  if (request.stage !== 'prod') return;
  const { cloudFormation } = tools.clients;
  if (!stack?.isProtected) {
    const EnableTerminationProtection = true;
    await cloudFormation.send(
      new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection }),
    );
  }
  if (!stack) await updateParameters(StackName, tableProtection, { ...tools, cloudFormation });
}
