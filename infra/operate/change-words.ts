/** What a deployment would change, in words, from CloudFormation's change set. Makes no calls. */
import type { ResourceChange } from '@aws-sdk/client-cloudformation';
import { widenedPermissions } from './permission-changes.ts';

export interface PlannedChanges {
  /** A line for each resource and parameter that changes. */
  readonly lines: readonly string[];
  /** Each loses data or an address for good. */
  readonly losses: readonly string[];
  /** What principals may do that they may not today. */
  readonly permissions: readonly string[];
  /** Something is deleted or replaced, or may be. */
  readonly isDestructive: boolean;
}

/** Resources that hold what can't be made again, and what that is. */
const irreplaceable: Readonly<Record<string, string>> = {
  'AWS::ApiGatewayV2::Api': 'the address of the API (links in sent messages have it)',
  'AWS::DynamoDB::Table': 'its items',
  'AWS::Logs::LogGroup': 'its lines',
  'AWS::SES::EmailIdentity': 'its DKIM keys (DNS records name them)',
  'AWS::SNS::Topic': 'its confirmed subscriptions',
  'AWS::SQS::Queue': 'the messages in it',
  'AWS::SecretsManager::Secret': 'its value',
};

/** A change of one of these writes a new value over a secret. */
const secretSources = ['GenerateSecretString', 'SecretString'];

const verbs = ['replaced', 'perhaps replaced', 'deleted', 'unknown', 'changed', 'new'] as const;
type Verb = (typeof verbs)[number];

/** @param parameters before and after, by name */
export function wordChanges(
  changes: readonly ResourceChange[],
  parameters: Readonly<Record<'before' | 'after', Readonly<Record<string, string>>>>,
): PlannedChanges {
  const worded = changes.map((change) => [verbOf(change), change] as const);
  const sorted = worded.toSorted(([a], [b]) => verbs.indexOf(a) - verbs.indexOf(b));
  return {
    lines: [
      ...sorted.map(([verb, change]) => `${verb}: ${lineOf(verb, change)}`),
      ...wordParameters(parameters),
    ],
    losses: sorted.flatMap(([verb, change]) => lossOf(verb, change)),
    permissions: changes.flatMap(widenedPermissions),
    isDestructive: sorted.some(([verb]) => verb !== 'changed' && verb !== 'new'),
  };
}

function verbOf({ Action, Replacement }: ResourceChange): Verb {
  if (Action === 'Add' || Action === 'Import') return 'new';
  if (Action === 'Remove') return 'deleted';
  if (Action !== 'Modify' && Action !== 'SyncWithActual') return 'unknown';
  if (Replacement === 'True') return 'replaced';
  return Replacement === 'Conditional' ? 'perhaps replaced' : 'changed';
}

function lineOf(verb: Verb, change: ResourceChange): string {
  const named = nameOf(change);
  const properties = propertiesOf(change);
  switch (verb) {
    case 'new':
      return named;
    case 'changed':
      return `${named}${properties.length > 0 ? `, ${properties.join(', ')}` : ''}`;
    case 'deleted':
      return `${named}${isKept(change) ? '; it stays in the account, outside of the stack' : ', for good'}`;
    case 'unknown':
      return `${named}; CloudFormation can't say it before`;
    case 'replaced':
    case 'perhaps replaced': {
      const old = isKept(change) ? 'stays in the account' : 'is deleted';
      return `${named}, because of ${reasonsOf(change).join(', ')}: a new one takes its place, the old one ${old}`;
    }
  }
}

function lossOf(verb: Verb, change: ResourceChange): string[] {
  const holds = irreplaceable[change.ResourceType ?? ''];
  if (holds === undefined || verb === 'new') return [];
  if (verb !== 'changed') return [`${nameOf(change)} would be ${verb}: ${holds} would be lost`];
  const isOverwritten =
    change.ResourceType === 'AWS::SecretsManager::Secret' &&
    propertiesOf(change).some((name) => secretSources.includes(name));
  if (!isOverwritten) return [];
  return [`${nameOf(change)} has another generator: a new value would be written over the secret`];
}

function wordParameters({
  before,
  after,
}: Readonly<Record<'before' | 'after', Readonly<Record<string, string>>>>): string[] {
  return Object.entries(after).flatMap(([name, value]) => {
    const old = before[name];
    if (old === value) return [];
    return [`parameter: ${name} ${old === undefined ? '(new)' : quoted(old)} → ${quoted(value)}`];
  });
}

function quoted(value: string): string {
  return value === '' ? '""' : value;
}

/** `TablesWatchlist6E42F2F5` of `AWS::DynamoDB::Table` → `TablesWatchlist (DynamoDB Table)`. */
function nameOf({ LogicalResourceId = '', ResourceType = '' }: ResourceChange): string {
  const id = LogicalResourceId.replace(/[0-9A-F]{8}$/, '');
  return `${id} (${ResourceType.split('::').slice(1).join(' ')})`;
}

/** The properties that change, and the attributes beside them (tags, policies of deletion). */
function propertiesOf({ Details = [] }: ResourceChange): string[] {
  const names = Details.map(({ Target }) => Target?.Name ?? Target?.Attribute ?? '');
  return [...new Set(names)].filter((name) => name !== '');
}

function reasonsOf(change: ResourceChange): string[] {
  const forcing = (change.Details ?? []).filter(
    ({ Target }) => Target?.RequiresRecreation && Target.RequiresRecreation !== 'Never',
  );
  const names = propertiesOf({ ...change, Details: forcing });
  return names.length > 0 ? names : ['another resource'];
}

function isKept({ PolicyAction }: ResourceChange): boolean {
  return PolicyAction === 'Retain' || PolicyAction === 'ReplaceAndRetain';
}
