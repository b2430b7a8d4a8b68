/** A change set of CloudFormation: reads, discards and executes it. change-words.ts says what it means. */
import {
  type CloudFormationClient,
  DeleteChangeSetCommand,
  DescribeChangeSetCommand,
  type DescribeChangeSetOutput,
  ExecuteChangeSetCommand,
  paginateDescribeStackEvents,
  type ResourceChange,
} from '@aws-sdk/client-cloudformation';
import { OperatorError } from './command.ts';
import { type DeployedStack, describeStack } from './stack.ts';

export interface ChangeSet {
  /** Its ARN, so that exactly the reviewed changes are executed. */
  readonly id: string;
  readonly changes: readonly ResourceChange[];
  /** All parameters that the stack will have. */
  readonly parameters: Readonly<Record<string, string>>;
}

export interface Waiting {
  /** @default a timer */
  readonly wait: (ms: number) => Promise<void>;
  readonly say: (text: string) => void;
}

const lookEveryMs = 5_000;
/** Two hours: a canary of each function takes a quarter of an hour, a new index longer. */
const mostLooks = 1_440;

/**
 * @returns undefined if the deployment changes nothing, so that there is no such change set
 * @throws OperatorError with CloudFormation's reason, if it could not make the change set
 */
export async function readChangeSet(
  cloudFormation: CloudFormationClient,
  stackName: string,
  name: string,
): Promise<ChangeSet | undefined> {
  const pages = await pagesOf(cloudFormation, { StackName: stackName, ChangeSetName: name });
  const [first] = pages;
  if (!first || isEmpty(first)) return undefined;
  if (first.Status !== 'CREATE_COMPLETE') {
    throw new OperatorError(
      `CloudFormation could not plan the deployment (${first.Status}): ${first.StatusReason}`,
    );
  }
  const { ChangeSetId = '', Parameters = [] } = first;
  return {
    id: ChangeSetId,
    changes: pages.flatMap(({ Changes = [] }) =>
      Changes.flatMap(({ ResourceChange }) => ResourceChange ?? []),
    ),
    parameters: Object.fromEntries(
      Parameters.map(({ ParameterKey = '', ParameterValue = '' }) => [
        ParameterKey,
        ParameterValue,
      ]),
    ),
  };
}

export async function discardChangeSet(
  cloudFormation: CloudFormationClient,
  { id }: ChangeSet,
): Promise<void> {
  await cloudFormation.send(new DeleteChangeSetCommand({ ChangeSetName: id }));
}

/**
 * Executes a change set and waits until the stack is as planned.
 * @throws OperatorError with each failed resource, after CloudFormation has rolled back
 */
export async function executeChangeSet(
  cloudFormation: CloudFormationClient,
  { stackName, id }: { stackName: string; id: string },
  waiting: Waiting,
): Promise<void> {
  const before = await describeStack(stackName, { cloudFormation });
  await cloudFormation.send(new ExecuteChangeSetCommand({ ChangeSetName: id }));
  await untilSettled(cloudFormation, { stackName, before }, waiting);
}

/**
 * Waits until an update of a stack has ended, and says each new status.
 * @param about `before`: the stack when the update was asked for
 * @throws OperatorError with each failed resource
 */
export async function untilSettled(
  cloudFormation: CloudFormationClient,
  { stackName, before }: { stackName: string; before: DeployedStack | undefined },
  { wait, say }: Waiting,
): Promise<void> {
  let last = '';
  for (let look = 0; look < mostLooks; look += 1) {
    const stack = await describeStack(stackName, { cloudFormation });
    const { status = 'gone' } = stack ?? {};
    // Until CloudFormation has begun, the stack is as its last update left it.
    const hasBegun = status !== before?.status || !isSameTime(stack?.changedAt, before.changedAt);
    if (hasBegun && status !== last) say(`Stack ${stackName}: ${status}`);
    last = status;
    if (hasBegun && !status.endsWith('_IN_PROGRESS')) {
      if (status === 'CREATE_COMPLETE' || status === 'UPDATE_COMPLETE') return;
      const reasons = await failuresOf(cloudFormation, stackName);
      throw new OperatorError([`The stack is ${status}; it failed:`, ...reasons].join('\n'));
    }
    await wait(lookEveryMs);
  }
  throw new OperatorError(`Stack ${stackName} is still ${last}: look in CloudFormation's console.`);
}

function isSameTime(one: Date | undefined, other: Date): boolean {
  return one?.getTime() === other.getTime();
}

/** A line for each failed resource of the newest update, oldest first: the first is the cause. */
async function failuresOf(client: CloudFormationClient, StackName: string): Promise<string[]> {
  const reasons: string[] = [];
  for await (const { StackEvents = [] } of paginateDescribeStackEvents({ client }, { StackName })) {
    for (const event of StackEvents) {
      const { LogicalResourceId, ResourceStatus = '', ResourceStatusReason = '' } = event;
      const isConsequence = /cancelled$/.test(ResourceStatusReason);
      if (ResourceStatus.endsWith('_FAILED') && !isConsequence) {
        reasons.unshift(`  ${LogicalResourceId}: ${ResourceStatusReason || 'no reason given'}`);
      }
      if (ResourceStatusReason === 'User Initiated') return reasons;
    }
  }
  return reasons;
}

async function pagesOf(
  cloudFormation: CloudFormationClient,
  named: { StackName: string; ChangeSetName: string },
): Promise<DescribeChangeSetOutput[]> {
  const pages: DescribeChangeSetOutput[] = [];
  let NextToken: string | undefined;
  do {
    const input = { ...named, IncludePropertyValues: true, NextToken };
    const page = await cloudFormation
      .send(new DescribeChangeSetCommand(input))
      .catch((error: unknown) => {
        if ((error as Error).name === 'ChangeSetNotFoundException') return undefined;
        throw error;
      });
    if (page) pages.push(page);
    NextToken = page?.NextToken;
  } while (NextToken !== undefined);
  return pages;
}

/** CloudFormation reports a change set without changes as a failure. */
function isEmpty({ Status, StatusReason = '' }: DescribeChangeSetOutput): boolean {
  const reasons = /didn't contain changes|No updates are to be performed/;
  return Status === 'FAILED' && reasons.test(StatusReason);
}
