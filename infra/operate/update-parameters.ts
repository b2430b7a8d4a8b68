/** Changes parameters of a deployed stack, with the template that it has. All other parameters stay as they are. */
import {
  type CloudFormationClient,
  type Parameter,
  UpdateStackCommand,
} from '@aws-sdk/client-cloudformation';
import { untilSettled, type Waiting } from './change-set.ts';
import { describeStack } from './stack.ts';

/** @throws OperatorError with each failed resource, if the update fails */
export async function updateParameters(
  stackName: string,
  changed: Readonly<Record<string, string>>,
  { cloudFormation, ...waiting }: Waiting & { readonly cloudFormation: CloudFormationClient },
): Promise<void> {
  const before = await describeStack(stackName, { cloudFormation });
  const names = new Set([...Object.keys(before?.parameters ?? {}), ...Object.keys(changed)]);
  const Parameters = [...names].map((ParameterKey): Parameter => {
    const ParameterValue = changed[ParameterKey];
    return ParameterValue === undefined
      ? { ParameterKey, UsePreviousValue: true }
      : { ParameterKey, ParameterValue };
  });
  await cloudFormation.send(
    new UpdateStackCommand({
      StackName: stackName,
      UsePreviousTemplate: true,
      Capabilities: ['CAPABILITY_IAM', 'CAPABILITY_NAMED_IAM'],
      Parameters,
    }),
  );
  await untilSettled(cloudFormation, { stackName, before }, waiting);
}
