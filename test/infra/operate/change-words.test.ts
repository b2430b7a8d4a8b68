// Change sets in the shapes that CloudFormation gives, in words.
import type { ResourceChange } from '@aws-sdk/client-cloudformation';
import { describe, expect, it } from 'vitest';
import { wordChanges } from '#infra/operate/change-words.ts';

const none = { before: {}, after: {} };

const change = (about: Partial<ResourceChange>): ResourceChange => ({
  Action: 'Modify',
  LogicalResourceId: 'TablesWatchlist6E42F2F5',
  ResourceType: 'AWS::DynamoDB::Table',
  Replacement: 'False',
  ...about,
});

const detail = (Name: string, RequiresRecreation: 'Always' | 'Conditionally' | 'Never') => ({
  Target: { Attribute: 'Properties' as const, Name, RequiresRecreation },
  Evaluation: 'Static' as const,
  ChangeSource: 'DirectModification' as const,
});

describe('a resource', () => {
  it.each<[string, Partial<ResourceChange>, string]>([
    ['that is new', { Action: 'Add' }, 'new: TablesWatchlist (DynamoDB Table)'],
    [
      'that changes in place',
      { Details: [detail('BillingMode', 'Never'), detail('BillingMode', 'Never')] },
      'changed: TablesWatchlist (DynamoDB Table), BillingMode',
    ],
    [
      'whose tags change',
      { Details: [{ Target: { Attribute: 'Tags', RequiresRecreation: 'Never' } }] },
      'changed: TablesWatchlist (DynamoDB Table), Tags',
    ],
    [
      'that is replaced',
      {
        Replacement: 'True',
        PolicyAction: 'ReplaceAndRetain',
        Details: [detail('KeySchema', 'Always'), detail('BillingMode', 'Never')],
      },
      'replaced: TablesWatchlist (DynamoDB Table), because of KeySchema: a new one takes its place, the old one stays in the account',
    ],
    [
      'that may be replaced',
      { Replacement: 'Conditional', PolicyAction: 'ReplaceAndDelete' },
      'perhaps replaced: TablesWatchlist (DynamoDB Table), because of another resource: a new one takes its place, the old one is deleted',
    ],
    [
      'that is deleted',
      { Action: 'Remove', PolicyAction: 'Delete' },
      'deleted: TablesWatchlist (DynamoDB Table), for good',
    ],
    [
      'that leaves the stack',
      { Action: 'Remove', PolicyAction: 'Retain' },
      'deleted: TablesWatchlist (DynamoDB Table); it stays in the account, outside of the stack',
    ],
    [
      'of a nested stack that CloudFormation has not looked into',
      { Action: 'Dynamic' },
      "unknown: TablesWatchlist (DynamoDB Table); CloudFormation can't say it before",
    ],
  ])('%s', (_, about, line) => {
    expect(wordChanges([change(about)], none).lines).toEqual([line]);
  });

  it('that is replaced or deleted comes before one that changes, and that before a new one', () => {
    const { lines, isDestructive } = wordChanges(
      [
        change({ Action: 'Add' }),
        change({}),
        change({ Action: 'Remove' }),
        change({ Replacement: 'True' }),
      ],
      none,
    );
    expect(lines.map((line) => line.split(':')[0])).toEqual([
      'replaced',
      'deleted',
      'changed',
      'new',
    ]);
    expect(isDestructive).toBe(true);
  });
});

describe('a loss', () => {
  const lossesOf = (about: Partial<ResourceChange>) => wordChanges([change(about)], none).losses;

  it.each<[string, string]>([
    ['AWS::DynamoDB::Table', 'its items would be lost'],
    ['AWS::SQS::Queue', 'the messages in it would be lost'],
    ['AWS::SecretsManager::Secret', 'its value would be lost'],
    ['AWS::SES::EmailIdentity', 'its DKIM keys .DNS records name them. would be lost'],
  ])('is the replacement and the deletion of a %s', (ResourceType, said) => {
    expect(lossesOf({ ResourceType, Replacement: 'True' })).toEqual([expect.stringMatching(said)]);
    expect(lossesOf({ ResourceType, Action: 'Remove' })).toEqual([expect.stringMatching(said)]);
    expect(lossesOf({ ResourceType, Action: 'Add' })).toEqual([]);
  });

  it('is a secret whose generator changed, because CloudFormation then writes a new value', () => {
    const secret = {
      LogicalResourceId: 'SecretsLinkSecret4B8D4F1E',
      ResourceType: 'AWS::SecretsManager::Secret',
    };
    expect(lossesOf({ ...secret, Details: [detail('GenerateSecretString', 'Never')] })).toEqual([
      'SecretsLinkSecret (SecretsManager Secret) has another generator: a new value would be written over the secret',
    ]);
    expect(lossesOf({ ...secret, Details: [detail('Description', 'Never')] })).toEqual([]);
  });

  it('is not the replacement of what can be made again', () => {
    expect(lossesOf({ ResourceType: 'AWS::Lambda::Version', Action: 'Remove' })).toEqual([]);
  });
});

describe('parameters', () => {
  it('are told old → new, and not told where nothing changes', () => {
    const before = {
      DailyPullCap: '900',
      EmailSender: 'a@b.example',
      OperatorEmail: 'o@b.example',
    };
    const after = { ...before, DailyPullCap: '500', OperatorEmail: '', Fresh: 'yes' };
    expect(wordChanges([], { before, after }).lines).toEqual([
      'parameter: DailyPullCap 900 → 500',
      'parameter: OperatorEmail o@b.example → ""',
      'parameter: Fresh (new) → yes',
    ]);
  });
});

describe('permissions', () => {
  const policy = (statement: object) =>
    JSON.stringify({ Properties: { PolicyDocument: { Statement: [statement] } } });
  const get = { Effect: 'Allow', Action: 'dynamodb:GetItem', Resource: 'arn:t' };
  const widened = (about: Partial<ResourceChange>) =>
    wordChanges(
      [change({ LogicalResourceId: 'Policy', ResourceType: 'AWS::IAM::Policy', ...about })],
      none,
    ).permissions;

  it('that a policy gains are told, each action on each resource', () => {
    const after = {
      ...get,
      Action: ['dynamodb:GetItem', 'dynamodb:Scan'],
      Resource: ['arn:t', 'arn:u'],
    };
    expect(widened({ BeforeContext: policy(get), AfterContext: policy(after) })).toEqual([
      'Policy: dynamodb:GetItem on arn:u',
      'Policy: dynamodb:Scan on arn:t',
      'Policy: dynamodb:Scan on arn:u',
    ]);
  });

  it('that a policy loses or denies, and those that stay, are not told', () => {
    const deny = { Effect: 'Deny', Action: '*', Resource: '*' };
    expect(widened({ BeforeContext: policy(get), AfterContext: policy(get) })).toEqual([]);
    expect(widened({ BeforeContext: policy(get), AfterContext: policy(deny) })).toEqual([]);
    expect(widened({ Action: 'Remove', BeforeContext: policy(get) })).toEqual([]);
  });

  it('of another principal, under another condition and by a managed policy are told', () => {
    const role = (service: string, arns: string[]) =>
      JSON.stringify({
        Properties: {
          AssumeRolePolicyDocument: {
            Statement: [
              { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: service } },
            ],
          },
          ManagedPolicyArns: arns,
        },
      });
    const about = {
      ResourceType: 'AWS::IAM::Role',
      BeforeContext: role('lambda.amazonaws.com', []),
      AfterContext: role('ec2.amazonaws.com', ['arn:admin']),
    };
    expect(widened(about)).toEqual([
      'Policy: sts:AssumeRole by {"Service":"ec2.amazonaws.com"}',
      'Policy: everything of arn:admin',
    ]);
  });

  it('that CloudFormation does not show are told to be unknown', () => {
    expect(widened({})).toEqual(['Policy: CloudFormation does not say which']);
  });
});
