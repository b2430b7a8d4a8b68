/**
 * An AWS account for the operator's programs: its clients answer with the shapes of the SDK, and it keeps stacks,
 * secrets and identities between calls. Each call is recorded with its input, in order.
 */
import {
  CloudFormationClient,
  type DescribeChangeSetOutput,
  type Parameter,
  type Stack,
  type StackEvent,
  type StackStatus,
} from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESClient } from '@aws-sdk/client-ses';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { STSClient } from '@aws-sdk/client-sts';
import type { OperatorClients } from '#infra/operate/aws-connection.ts';

export interface StubCall {
  readonly command: string;
  readonly input: Record<string, unknown>;
}

interface Command {
  constructor: { name: string };
  input: Record<string, unknown>;
}

export type StubAnswer = (input: Record<string, unknown>) => unknown;

export const stubAccount = '123456789012';
export const stubRegion = 'us-east-1';

/** A stack as DescribeStacks has it, with what a test cares for. */
export function aStackThere(about: Partial<Stack> = {}): Stack {
  return {
    StackName: 'GetinDev',
    StackStatus: 'CREATE_COMPLETE',
    CreationTime: new Date('2026-11-01T00:00:00Z'),
    Parameters: [
      { ParameterKey: 'MarketplaceUrl', ParameterValue: 'https://m.example' },
      { ParameterKey: 'EmailSender', ParameterValue: 'alerts@getin.example' },
      { ParameterKey: 'DailyPullCap', ParameterValue: '900' },
      { ParameterKey: 'SenderDomain', ParameterValue: 'getin.example' },
    ],
    Outputs: ['ApiUrl', 'AdminKeySecret', 'MarketplaceKeySecret', 'OperatorWebhookSecret'].map(
      (name) => ({ OutputKey: name, OutputValue: `the-${name}` }),
    ),
    ...about,
  };
}

export class StubAws {
  readonly calls: StubCall[] = [];
  readonly stacks = new Map<string, Stack>([['CDKToolkit', aStackThere({ Outputs: [] })]]);
  readonly secrets = new Map<string, string>();
  /** Identities that SES knows, all verified. */
  readonly identities = new Set(['getin.example']);
  /** Resources of every stack. */
  resources: { LogicalResourceId: string; ResourceType: string; PhysicalResourceId: string }[] = [
    {
      LogicalResourceId: 'EmailDomain',
      ResourceType: 'AWS::SES::EmailIdentity',
      PhysicalResourceId: 'getin.example',
    },
  ];
  /** What the CDK has planned; undefined: nothing would change. */
  changeSet: Partial<DescribeChangeSetOutput> | undefined;
  /** Newest first. */
  events: Partial<StackEvent>[] = [];
  /** The statuses that an update leads through, the last of which stays. */
  course: StackStatus[] = ['UPDATE_IN_PROGRESS', 'UPDATE_COMPLETE'];
  readonly #ahead = new Map<string, StackStatus[]>();
  #looks = 0;
  readonly #answers: Record<string, StubAnswer> = {
    GetCallerIdentity: () => ({ Account: stubAccount }),
    DescribeStacks: ({ StackName }) => ({ Stacks: [this.#look(String(StackName))] }),
    ListStackResources: () => ({ StackResourceSummaries: this.resources }),
    GetIdentityVerificationAttributes: ({ Identities }) => ({
      VerificationAttributes: Object.fromEntries(
        (Identities as string[])
          .filter((name) => this.identities.has(name))
          .map((name) => [name, { VerificationStatus: 'Success' }]),
      ),
    }),
    GetAccount: () => ({
      SendingEnabled: true,
      ProductionAccessEnabled: true,
      SendQuota: { Max24HourSend: 50_000 },
    }),
    GetAccountSettings: () => ({ AccountLimit: { ConcurrentExecutions: 1_000 } }),
    GetSecretValue: ({ SecretId }) => ({ SecretString: this.secrets.get(String(SecretId)) ?? '' }),
    DescribeChangeSet: ({ ChangeSetName, NextToken }) => {
      const planned = this.changeSet;
      if (!planned) {
        throw Object.assign(new Error('no such change set'), {
          name: 'ChangeSetNotFoundException',
        });
      }
      // A page for each change, as CloudFormation may answer.
      const at = Number(NextToken ?? 0);
      return {
        Status: 'CREATE_COMPLETE',
        ChangeSetId: `arn:${ChangeSetName}`,
        ...planned,
        Changes: planned.Changes?.slice(at, at + 1),
        ...(at + 1 < (planned.Changes?.length ?? 0) && { NextToken: String(at + 1) }),
      };
    },
    DeleteChangeSet: () => ({}),
    UpdateTerminationProtection: () => ({}),
    UpdateStack: ({ StackName, Parameters }) => {
      this.setParameters(String(StackName), Parameters as Parameter[]);
      this.#update(String(StackName));
      return {};
    },
    ExecuteChangeSet: () => {
      this.#update(String(this.inputsOf('DescribeChangeSet').at(-1)?.StackName));
      return {};
    },
    DescribeStackEvents: () => ({ StackEvents: this.events }),
    PutSecretValue: ({ SecretId, SecretString }) => {
      this.secrets.set(String(SecretId), String(SecretString));
      return {};
    },
  };

  /** Answers a command from now on, in place of what the stub would say. */
  answer(command: string, answer: StubAnswer): void {
    this.#answers[command] = answer;
  }

  /** @returns what the stub would say to a command */
  answerTo(command: string): StubAnswer {
    return this.#answers[command] ?? (() => ({}));
  }

  /** Gives a stack's parameters other values; one without a value stays. */
  setParameters(name: string, changed: readonly Parameter[]): void {
    const stack = this.#stack(name);
    const values = new Map(stack.Parameters?.map((one) => [one.ParameterKey, one]));
    for (const one of changed) {
      if (one.ParameterValue !== undefined) values.set(one.ParameterKey, one);
    }
    this.stacks.set(name, { ...stack, Parameters: [...values.values()] });
  }

  /** The commands so far that change something, in order. */
  get changes(): string[] {
    const looking = /^(?:Get|Describe|List)/;
    return this.calls.map(({ command }) => command).filter((name) => !looking.test(name));
  }

  inputsOf(command: string): Record<string, unknown>[] {
    return this.calls.filter((call) => call.command === command).map(({ input }) => input);
  }

  /** The SDK's own clients, whose `send` asks the stub in place of the network. */
  get clients(): OperatorClients {
    const settings = {
      region: stubRegion,
      credentials: { accessKeyId: 'stub', secretAccessKey: 'stub' },
    };
    const send = async (command: Command) =>
      this.#send(command.constructor.name.replace(/Command$/, ''), command.input);
    return {
      cloudFormation: Object.assign(new CloudFormationClient(settings), { send }),
      dynamoDb: Object.assign(new DynamoDBClient(settings), { send }),
      lambda: Object.assign(new LambdaClient(settings), { send }),
      secrets: Object.assign(new SecretsManagerClient(settings), { send }),
      ses: Object.assign(new SESClient(settings), { send }),
      sesV2: Object.assign(new SESv2Client(settings), { send }),
      sts: Object.assign(new STSClient(settings), { send }),
    } as unknown as OperatorClients;
  }

  /** The stack has its old status at the next look, and then goes through its course, a status a look. */
  #update(name: string): void {
    const isNew = this.#stack(name).StackStatus === 'REVIEW_IN_PROGRESS';
    this.#ahead.set(name, isNew ? ['CREATE_IN_PROGRESS', 'CREATE_COMPLETE'] : [...this.course]);
  }

  #look(name: string): Stack {
    const seen = this.#stack(name);
    const next = this.#ahead.get(name)?.shift();
    if (next !== undefined) {
      this.#looks += 1;
      const LastUpdatedTime = new Date(Date.UTC(2026, 10, 30, 0, this.#looks));
      this.stacks.set(name, { ...seen, StackStatus: next, LastUpdatedTime });
    }
    return seen;
  }

  #send(command: string, input: Record<string, unknown>): unknown {
    this.calls.push({ command, input });
    const answer = this.#answers[command];
    if (!answer) throw new Error(`the stub of AWS does not know ${command}`);
    return answer(input);
  }

  #stack(name: string): Stack {
    const stack = this.stacks.get(name);
    if (!stack) throw new Error(`Stack with id ${name} does not exist`);
    return stack;
  }
}
