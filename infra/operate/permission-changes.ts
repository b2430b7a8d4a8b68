/** The permissions that a change of a resource adds, from its properties before and after. Makes no calls. */
import type { ResourceChange } from '@aws-sdk/client-cloudformation';
import * as z from 'zod';

const texts = z.union([z.string(), z.array(z.unknown())]).transform((value) => [value].flat());

const statementSchema = z.looseObject({
  Effect: z.string().default('Allow'),
  Action: texts.default([]),
  Resource: z.unknown().optional(),
  Principal: z.unknown().optional(),
  Condition: z.unknown().optional(),
});

const documentSchema = z.looseObject({
  Statement: z
    .union([statementSchema, z.array(statementSchema)])
    .transform((value) => [value].flat()),
});

/** Where a resource has permissions: policies of roles, queues and topics, who may invoke, managed policies. */
const contextSchema = z.looseObject({
  Properties: z
    .looseObject({
      PolicyDocument: documentSchema.optional(),
      AssumeRolePolicyDocument: documentSchema.optional(),
      Policies: z.array(z.looseObject({ PolicyDocument: documentSchema })).default([]),
      ManagedPolicyArns: z.array(z.unknown()).default([]),
    })
    .optional(),
});

const typesWithPermissions = [
  'AWS::IAM::ManagedPolicy',
  'AWS::IAM::Policy',
  'AWS::IAM::Role',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::QueuePolicy',
];

/** A line for each action on a resource that the change allows and that was not allowed before. */
export function widenedPermissions(change: ResourceChange): string[] {
  const { ResourceType = '', LogicalResourceId = '', Action } = change;
  if (!typesWithPermissions.includes(ResourceType) || Action === 'Remove') return [];
  const after = allowedIn(change.AfterContext);
  if (after === undefined) return [`${LogicalResourceId}: CloudFormation does not say which`];
  const before = new Set(allowedIn(change.BeforeContext));
  return after
    .filter((allowed) => !before.has(allowed))
    .map((allowed) => `${LogicalResourceId}: ${allowed}`);
}

/** @returns undefined for a context that can't be read */
function allowedIn(context: string | undefined): string[] | undefined {
  const parsed = contextSchema.safeParse(parseJson(context));
  if (!parsed.success) return undefined;
  const { PolicyDocument, AssumeRolePolicyDocument, Policies, ManagedPolicyArns } = {
    Policies: [],
    ManagedPolicyArns: [],
    ...parsed.data.Properties,
  };
  const documents = [
    PolicyDocument,
    AssumeRolePolicyDocument,
    ...Policies.map((policy) => policy.PolicyDocument),
  ];
  return [
    ...documents.flatMap((document) => document?.Statement.flatMap(pairsOf) ?? []),
    ...ManagedPolicyArns.map((arn) => `everything of ${wordOf(arn)}`),
  ];
}

/** Each action of an allowing statement with each of its resources. */
function pairsOf({ Effect, Action, Resource, Principal, Condition }: Statement): string[] {
  if (Effect !== 'Allow') return [];
  const resources = Resource === undefined ? [''] : [Resource].flat().map(wordOf);
  const by = Principal === undefined ? '' : ` by ${wordOf(Principal)}`;
  const given = Condition === undefined ? '' : ` if ${wordOf(Condition)}`;
  return Action.flatMap((action) =>
    resources.map((resource) => `${wordOf(action)}${resource && ` on ${resource}`}${by}${given}`),
  );
}

type Statement = z.infer<typeof statementSchema>;

function wordOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function parseJson(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
