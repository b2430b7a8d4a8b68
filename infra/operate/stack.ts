/** A deployed stack as CloudFormation has it. Changes nothing. */
import {
  DescribeStacksCommand,
  paginateListStackResources,
  type Stack,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';
import { connectAws, type OperatorClients } from './aws-connection.ts';

export interface DeployedStack {
  readonly status: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly outputs: ReadonlyMap<string, string>;
  readonly isProtected: boolean;
  /** When its last update began, or its creation. */
  readonly changedAt: Date;
}

/** A stack with one of these has no resources: it was only planned, or its creation failed. */
const emptyStatuses = ['REVIEW_IN_PROGRESS', 'ROLLBACK_COMPLETE', 'DELETE_COMPLETE'];

/** @returns undefined when there is no such stack */
export async function describeStack(
  name: string,
  { cloudFormation }: Pick<OperatorClients, 'cloudFormation'> = connectAws(),
): Promise<DeployedStack | undefined> {
  try {
    const { Stacks = [] } = await cloudFormation.send(
      new DescribeStacksCommand({ StackName: name }),
    );
    const [stack] = Stacks;
    return stack && readStack(stack);
  } catch (error) {
    if (error instanceof Error && error.message.includes('does not exist')) return undefined;
    throw error;
  }
}

/** Whether the stack has resources, so that a deployment updates it. */
export function isDeployed(stack: DeployedStack | undefined): stack is DeployedStack {
  return stack !== undefined && !emptyStatuses.includes(stack.status);
}

/** @returns the stack's outputs by name; undefined when there is no such stack */
export async function outputsOf(
  name: string,
  clients?: Pick<OperatorClients, 'cloudFormation'>,
): Promise<ReadonlyMap<string, string> | undefined> {
  return (await describeStack(name, clients))?.outputs;
}

export async function resourcesOf(
  StackName: string,
  { cloudFormation: client }: Pick<OperatorClients, 'cloudFormation'>,
): Promise<StackResourceSummary[]> {
  const found: StackResourceSummary[] = [];
  for await (const page of paginateListStackResources({ client }, { StackName })) {
    found.push(...(page.StackResourceSummaries ?? []));
  }
  return found;
}

function readStack(stack: Stack): DeployedStack {
  const { Parameters = [], Outputs = [], CreationTime, LastUpdatedTime } = stack;
  return {
    status: stack.StackStatus ?? '',
    parameters: Object.fromEntries(
      Parameters.map(({ ParameterKey = '', ParameterValue = '' }) => [
        ParameterKey,
        ParameterValue,
      ]),
    ),
    outputs: new Map(
      Outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
    ),
    isProtected: stack.EnableTerminationProtection ?? false,
    changedAt: LastUpdatedTime ?? CreationTime ?? new Date(0),
  };
}
