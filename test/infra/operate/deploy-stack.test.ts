// Whole deployments against a stub of AWS: what is asked, in which order, and what is said.
import type { ResourceChange } from '@aws-sdk/client-cloudformation';
import { beforeEach, describe, expect, it } from 'vitest';
import { type DeployRequest, readDeployRequest } from '#infra/operate/deploy-request.ts';
import { deployStack } from '#infra/operate/deploy-stack.ts';
import { accountBody, marketplaceKey } from '../support/marketplace-answers.ts';
import { aStackThere, StubAws } from '../support/stub-aws.ts';

let aws: StubAws;
let cdk: string[][];
let said: string[];
let complaints: string[];

beforeEach(() => {
  aws = new StubAws();
  aws.secrets.set('the-MarketplaceKeySecret', marketplaceKey);
  aws.secrets.set('the-OperatorWebhookSecret', `{"url":"","secret":"${'s3cret'.repeat(7)}ab"}`);
  cdk = [];
  said = [];
  complaints = [];
});

const tools = (answer: () => Response = () => Response.json(accountBody)) => ({
  clients: aws.clients,
  runCdk: async (flags: readonly string[]) => {
    cdk.push([...flags]);
    if (!aws.stacks.has(String(flags[1]))) {
      aws.stacks.set(String(flags[1]), aStackThere({ StackStatus: 'REVIEW_IN_PROGRESS' }));
    }
    return 0;
  },
  say: (text: string) => void said.push(text),
  complain: (text: string) => void complaints.push(text),
  wait: async () => {},
  now: () => 7,
  fetch: async () => answer(),
});

const deploy = (args: string[], environment: Record<string, string> = {}) =>
  deployStack(readDeployRequest(args, environment) as DeployRequest, tools());

const first = ['--marketplace-url', 'https://m.example', '--sender', 'alerts@getin.example'];

describe('the first deployment', () => {
  beforeEach(() => {
    aws.changeSet = { Changes: [{ ResourceChange: aChange({ Action: 'Add' }) }] };
  });

  it('passes what was given, executes the change set, and stores the key', async () => {
    const environment = { MARKETPLACE_KEY: marketplaceKey };
    expect(await deploy([...first, '--daily-cap', '900'], environment)).toBe(0);
    expect(parametersIn(cdk[0])).toEqual([
      ...['MarketplaceUrl=https://m.example', 'EmailSender=alerts@getin.example'],
      'DailyPullCap=900',
    ]);
    expect(aws.changes).toEqual(['ExecuteChangeSet', 'PutSecretValue']);
    expect(aws.inputsOf('ExecuteChangeSet')).toEqual([{ ChangeSetName: 'arn:deploy-7' }]);
  });

  it('needs a marketplace and a sender', async () => {
    await expect(deploy(['--daily-cap', '900'])).rejects.toThrow(
      'The first deployment of a stage needs --marketplace-url and --sender, as flags or in infra/stages/dev.json.',
    );
  });

  it('reports faults, and deploys nothing', async () => {
    aws.identities.clear();
    expect(await deploy(first)).toBe(2);
    expect(complaints).toEqual([
      expect.stringContaining('alerts@getin.example is unknown to SES'),
      'fault: No marketplace key: set the variable MARKETPLACE_KEY.',
    ]);
    expect([cdk, aws.changes]).toEqual([[], []]);
  });
});

describe('the second deployment', () => {
  beforeEach(() => aws.stacks.set('GetinDev', aStackThere()));

  it('passes no parameter that was not given, so the stack keeps its values', async () => {
    expect(await deploy([])).toBe(0);
    expect(parametersIn(cdk[0])).toEqual([]);
  });

  it('checks the sender and the marketplace that the stack has', async () => {
    aws.identities.clear();
    aws.resources = [];
    expect(await deploy(['--sender-domain', '', '--check'])).toBe(2);
    expect(complaints).toEqual([expect.stringContaining('alerts@getin.example is unknown to SES')]);
  });

  it('refuses to make an identity that SES already has from elsewhere', async () => {
    aws.resources = [];
    expect(await deploy([])).toBe(2);
    expect(complaints).toEqual([
      expect.stringContaining('SES already has an identity of getin.example'),
    ]);
  });

  it('stores a webhook beside its signing secret, and changes no key', async () => {
    expect(await deploy([], { OPERATOR_WEBHOOK: 'https://ops.example' })).toBe(0);
    expect(aws.inputsOf('PutSecretValue').map(({ SecretId }) => SecretId)).toEqual([
      'the-OperatorWebhookSecret',
    ]);
    expect(aws.secrets.get('the-OperatorWebhookSecret')).toContain('s3cret');
  });

  it('that changes nothing in the stack still stores a new key', async () => {
    expect(await deploy([], { MARKETPLACE_KEY: marketplaceKey })).toBe(0);
    expect(said).toContain('Nothing in the stack would change.');
    expect(aws.changes).toEqual(['PutSecretValue']);
  });

  it('is refused in another account than the stage’s', async () => {
    await expect(deploy(['--account', '999999999999'])).rejects.toThrow(
      'Stage dev belongs in account 999999999999, but the credentials are of 123456789012',
    );
  });

  it.each<[string, () => Response, string]>([
    ['of another length', () => Response.json(accountBody), 'The marketplace key has another form'],
    ['that breaks its contract', () => Response.json({ odd: true }), 'not as it should'],
  ])('says of a key or an answer %s what it is, in one line', async (_, answer, complaint) => {
    const key = complaint.includes('form') ? 'short' : marketplaceKey;
    const request = readDeployRequest(['--check'], { MARKETPLACE_KEY: key }) as DeployRequest;
    expect(await deployStack(request, tools(answer))).toBe(2);
    expect(complaints).toEqual([expect.stringContaining(complaint)]);
    expect(complaints[0]).not.toContain('\n');
  });
});

describe('before anything happens', () => {
  beforeEach(() => {
    aws.stacks.set('GetinDev', aStackThere());
    aws.stacks.set('Getin', aStackThere());
    aws.changeSet = {
      Parameters: [
        { ParameterKey: 'DailyPullCap', ParameterValue: '500' },
        { ParameterKey: 'MarketplaceUrl', ParameterValue: 'https://m.example' },
      ],
      Changes: [
        { ResourceChange: aChange({}) },
        { ResourceChange: aChange({ LogicalResourceId: 'Clock', Action: 'Add' }) },
      ],
    };
  });
  const remove = { ResourceChange: aChange({ Action: 'Remove', PolicyAction: 'Delete' }) };

  it('says what would change, deletes the change set, and deploys nothing when it only looks', async () => {
    expect(await deploy(['--check', '--daily-cap', '500'])).toBe(0);
    expect(said.slice(1)).toEqual([
      'Stack GetinDev would change:',
      '  changed: Worker (Lambda Function), Code',
      '  new: Clock (Lambda Function)',
      '  parameter: DailyPullCap 900 → 500',
    ]);
    expect(aws.changes).toEqual(['DeleteChangeSet']);
    expect(aws.inputsOf('DeleteChangeSet')).toEqual([{ ChangeSetName: 'arn:deploy-7' }]);
  });

  it('production asks for --yes, each time', async () => {
    expect(await deploy(['--stage', 'prod'])).toBe(2);
    expect(complaints).toEqual(['Nothing was deployed. To deploy this, give --yes.']);
    expect(aws.changes).toEqual(['DeleteChangeSet']);
  });

  it('production is deployed with --yes, and protected from deletion with its tables', async () => {
    expect(await deploy(['--stage', 'prod', '--yes'])).toBe(0);
    expect(parametersIn(cdk[0])).toEqual(['TableProtection=on']);
    expect(cdk[0]).toContain('stage=prod');
    expect(aws.changes).toEqual(['ExecuteChangeSet', 'UpdateTerminationProtection']);
  });

  it('a new production gets its tables’ protection after it is there, so that a failed creation can delete them', async () => {
    aws.stacks.delete('Getin');
    aws.resources = [];
    const environment = { MARKETPLACE_KEY: marketplaceKey };
    const args = ['--stage', 'prod', '--yes', ...first];
    expect(await deploy(args, environment)).toBe(0);
    expect(parametersIn(cdk[0])).not.toContain('TableProtection=on');
    expect(aws.changes).toEqual([
      ...['ExecuteChangeSet', 'UpdateTerminationProtection', 'UpdateStack', 'PutSecretValue'],
    ]);
    expect(aws.inputsOf('UpdateStack')).toEqual([
      expect.objectContaining({
        StackName: 'Getin',
        UsePreviousTemplate: true,
        Parameters: expect.arrayContaining([
          { ParameterKey: 'TableProtection', ParameterValue: 'on' },
          { ParameterKey: 'DailyPullCap', UsePreviousValue: true },
        ]),
      }),
    ]);
  });

  it('a new production asks before the CDK plans it', async () => {
    aws.stacks.delete('Getin');
    aws.identities.delete('getin.example');
    aws.identities.add('alerts@getin.example');
    const environment = { MARKETPLACE_KEY: marketplaceKey };
    expect(await deploy(['--stage', 'prod', ...first], environment)).toBe(2);
    expect([cdk, aws.changes]).toEqual([[], []]);
  });

  it('dev asks only where something is deleted, replaced or may do more', async () => {
    expect(await deploy([])).toBe(0);
    aws.changeSet = { Changes: [remove] };
    expect(await deploy([])).toBe(2);
    expect(await deploy(['--yes'])).toBe(0);
    expect(aws.changes).toEqual(['ExecuteChangeSet', 'DeleteChangeSet', 'ExecuteChangeSet']);
  });

  it('a loss of data is refused even with --yes, and accepted by a flag of its own', async () => {
    const table = { ...remove.ResourceChange, ResourceType: 'AWS::DynamoDB::Table' };
    aws.changeSet = { Changes: [{ ResourceChange: table }] };
    expect(await deploy(['--yes'])).toBe(2);
    expect(complaints).toEqual([
      'loss: Worker (DynamoDB Table) would be deleted: its items would be lost.',
      'Nothing was deployed. To deploy in spite of the losses, give --accept-loss.',
    ]);
    expect(await deploy(['--yes', '--accept-loss'])).toBe(0);
  });

  it('CloudFormation’s reason is told when it cannot plan', async () => {
    aws.changeSet = { Status: 'FAILED', StatusReason: 'Template error' };
    await expect(deploy([])).rejects.toThrow('could not plan the deployment (FAILED): Template');
  });
});

describe('the release of the functions', () => {
  beforeEach(() => {
    aws.changeSet = { Changes: [{ ResourceChange: aChange({}) }] };
  });
  const settingsIn = (flags: string[] = []) => flags.find((flag) => flag.startsWith('settings='));
  const isThere = (about: Record<string, string>, settings = 'abc') => {
    const there = aStackThere();
    aws.stacks.set('GetinDev', {
      ...there,
      Parameters: [
        ...(there.Parameters ?? []),
        ...Object.entries(about).map(([ParameterKey, ParameterValue]) => ({
          ParameterKey,
          ParameterValue,
        })),
      ],
      Outputs: [...(there.Outputs ?? []), { OutputKey: 'Settings', OutputValue: settings }],
    });
  };

  it('keeps the versions as long as no setting changes, and makes new ones when one does', async () => {
    isThere({});
    await deploy(['--daily-cap', '900']);
    await deploy(['--daily-cap', '901']);
    await deploy(['--daily-cap', '902']);
    const [same, ...others] = cdk.map(settingsIn);
    expect(same).toBe('settings=abc');
    expect(new Set([same, ...others]).size).toBe(3);
  });

  it('begins with a canary, and skips it by a flag', async () => {
    isThere({ ReleasePace: 'at-once' });
    await deploy([]);
    await deploy(['--at-once']);
    expect(cdk.map(parametersIn)).toEqual([['ReleasePace=canary'], []]);
  });

  it('ends a rollback', async () => {
    isThere({ ApiVersion: '12', PollVersion: '0' });
    await deploy([]);
    expect(parametersIn(cdk[0])).toEqual(['ApiVersion=0']);
  });
});

it('a deployment that fails names each failed resource of this update, the cause first', async () => {
  aws.stacks.set('GetinDev', aStackThere());
  aws.changeSet = { Changes: [{ ResourceChange: aChange({}) }] };
  aws.course = ['UPDATE_IN_PROGRESS', 'UPDATE_ROLLBACK_COMPLETE'];
  const failed = (LogicalResourceId: string, ResourceStatusReason: string) => ({
    LogicalResourceId,
    ResourceStatusReason,
    ResourceStatus: 'UPDATE_FAILED' as const,
  });
  aws.events = [
    failed('Table', 'Resource update cancelled'),
    failed('Queue', 'no permission'),
    { ResourceStatus: 'UPDATE_IN_PROGRESS', ResourceStatusReason: 'User Initiated' },
    failed('Older', 'of the update before'),
  ];
  await expect(deploy([])).rejects.toThrow(
    'The stack is UPDATE_ROLLBACK_COMPLETE; it failed:\n  Queue: no permission',
  );
  expect(said).toContain('Stack GetinDev: UPDATE_IN_PROGRESS');
});

function aChange(about: Partial<ResourceChange>): ResourceChange {
  return {
    Action: 'Modify',
    LogicalResourceId: 'Worker',
    ResourceType: 'AWS::Lambda::Function',
    Replacement: 'False',
    Details: [{ Target: { Attribute: 'Properties', Name: 'Code', RequiresRecreation: 'Never' } }],
    ...about,
  };
}

function parametersIn(flags: string[] = []): string[] {
  return flags.filter((_, position) => flags[position - 1] === '--parameters');
}
