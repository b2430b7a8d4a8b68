/**
 * Protects a production stack from deletion, and its tables. The tables are protected only once the stack is there: a
 * failed creation could not delete protected ones.
 */
import {
  UpdateStackCommand,
  UpdateTerminationProtectionCommand,
} from '@aws-sdk/client-cloudformation';
import { untilSettled } from './change-set.ts';
import type { Deployment, DeployTools } from './deployment.ts';
import { describeStack } from './stack.ts';

/** The template's parameter that protects the tables, and its value. */
const tableProtection = { ParameterKey: 'TableProtection', ParameterValue: 'on' } as const;

/** The parameters of a deployment that keep the protection of a stack that is there. */
export function protectionParameters({ request, stack }: Deployment): Record<string, string> {
  const { ParameterKey, ParameterValue } = tableProtection;
  return request.stage === 'prod' && stack ? { [ParameterKey]: ParameterValue } : {};
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
  if (!stack) await protectTables(StackName, tools);
}

async function protectTables(StackName: string, tools: DeployTools): Promise<void> {
  const { cloudFormation } = tools.clients;
  const before = await describeStack(StackName, { cloudFormation });
  const others = Object.keys(before?.parameters ?? {}).filter(
    (name) => name !== tableProtection.ParameterKey,
  );
  await cloudFormation.send(
    new UpdateStackCommand({
      StackName,
      UsePreviousTemplate: true,
      Capabilities: ['CAPABILITY_IAM', 'CAPABILITY_NAMED_IAM'],
      Parameters: [
        tableProtection,
        ...others.map((ParameterKey) => ({ ParameterKey, UsePreviousValue: true })),
      ],
    }),
  );
  await untilSettled(cloudFormation, { stackName: StackName, before }, tools);
}
