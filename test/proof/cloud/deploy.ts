/** Puts a cloud assembly's assets and its template into moto, as the CDK does on AWS. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CloudFormationClient,
  CreateStackCommand,
  DeleteStackCommand,
  DescribeStackResourcesCommand,
  DescribeStacksCommand,
} from '@aws-sdk/client-cloudformation';
import type { CloudAssembly } from '#infra/local/assembly/cloud-assembly.ts';
import type { MotoServer } from './moto-server.ts';

export interface DeployedStack {
  name: string;
  /** Logical id → the result of Ref. */
  physicalIds: ReadonlyMap<string, string>;
  outputs: ReadonlyMap<string, string>;
  /** Resource types that moto accepts but does not create. */
  passedOver: ReadonlySet<string>;
}

const looks = 120;

export async function deploy(moto: MotoServer, assembly: CloudAssembly): Promise<DeployedStack> {
  const client = new CloudFormationClient(moto.client);
  await uploadAssets(moto, assembly);
  await markBootstrapped(moto);
  const { template, passedOver } = fitForMoto(moto, assembly);
  await client.send(
    new CreateStackCommand({
      StackName: assembly.stackName,
      TemplateBody: JSON.stringify(template),
      Parameters: Object.entries(parameters).map(([ParameterKey, ParameterValue]) => ({
        ParameterKey,
        ParameterValue,
      })),
      Capabilities: ['CAPABILITY_IAM'],
    }),
  );
  const stack = await settled(client, assembly.stackName);
  const { StackResources = [] } = await client.send(
    new DescribeStackResourcesCommand({ StackName: assembly.stackName }),
  );
  return {
    name: assembly.stackName,
    passedOver,
    physicalIds: new Map(
      StackResources.map((one) => [one.LogicalResourceId ?? '', one.PhysicalResourceId ?? '']),
    ),
    outputs: new Map(
      (stack.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
    ),
  };
}

export async function removeStack(moto: MotoServer, { name }: DeployedStack): Promise<void> {
  const client = new CloudFormationClient(moto.client);
  await client.send(new DeleteStackCommand({ StackName: name }));
  const gone = await client.send(new DescribeStacksCommand({ StackName: name })).then(
    ({ Stacks }) => Stacks?.[0]?.StackStatus,
    () => 'DELETE_COMPLETE',
  );
  if (gone !== 'DELETE_COMPLETE') throw new Error(`the stack is ${gone}`);
}

const parameters: Readonly<Record<string, string>> = {
  MarketplaceUrl: 'https://marketplace.example',
  EmailSender: 'alerts@getin.example',
  OperatorEmail: 'operator@getin.example',
  SenderDomain: '',
};

/**
 * The template without the resources that moto does not create: a placeholder ARN replaces references
 * to them, and conditional outputs are left out, because moto can't evaluate them.
 */
function fitForMoto(moto: MotoServer, { template }: CloudAssembly) {
  const types = [...new Set(Object.values(template.Resources).map(({ Type }) => Type))];
  const passedOver = moto.unknownTypes(types);
  const isKnown = (id: string): boolean => !passedOver.has(template.Resources[id]?.Type ?? '');
  const Resources = Object.fromEntries(
    Object.entries(template.Resources)
      .filter(([id]) => isKnown(id))
      .map(([id, { DependsOn, ...resource }]) => [
        id,
        { ...resource, DependsOn: [DependsOn ?? []].flat().filter(isKnown) },
      ]),
  );
  const Outputs = Object.fromEntries(
    Object.entries(template.Outputs).filter(([, { Condition }]) => Condition === undefined),
  );
  const fitted = withoutReferences({ ...template, Resources, Outputs }, isKnown);
  return { template: fitted as typeof template, passedOver };
}

function withoutReferences(value: unknown, isKnown: (id: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutReferences(item, isKnown));
  if (typeof value !== 'object' || value === null) return value;
  const { Ref, 'Fn::GetAtt': attribute } = value as { Ref?: string; 'Fn::GetAtt'?: string[] };
  const id = Ref ?? attribute?.[0];
  if (id !== undefined && !isKnown(id)) return `arn:aws:nowhere:us-east-1:123456789012:${id}`;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, withoutReferences(item, isKnown)]),
  );
}

/** The resources of `cdk bootstrap` that the template needs. */
async function markBootstrapped({ url }: MotoServer): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'AmazonSSM.PutParameter',
      authorization: 'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/ssm/aws4_request',
    },
    body: JSON.stringify({ Name: '/cdk-bootstrap/hnb659fds/version', Value: '30', Type: 'String' }),
  });
  if (!response.ok) throw new Error(`the bootstrap parameter: ${await response.text()}`);
}

/** The bucket and keys that the template names; moto doesn't read the objects. */
async function uploadAssets(
  moto: MotoServer,
  { assetPaths, template }: CloudAssembly,
): Promise<void> {
  const buckets = new Set<string>();
  for (const { Properties } of Object.values(template.Resources)) {
    const code = Properties?.Code as { S3Bucket?: unknown; S3Key?: string } | undefined;
    if (!code?.S3Key) continue;
    const bucket = bucketOf(code.S3Bucket);
    if (!buckets.has(bucket)) await put(`${moto.url}/${bucket}`, '');
    buckets.add(bucket);
    const folder = assetPaths.get(code.S3Key) ?? '';
    await put(`${moto.url}/${bucket}/${code.S3Key}`, readFileSync(join(folder, 'index.mjs')));
  }
}

function bucketOf(name: unknown): string {
  const text = typeof name === 'string' ? name : (name as { 'Fn::Sub': string })['Fn::Sub'];
  return text
    .replace(/\$\{AWS::AccountId\}/, '123456789012')
    .replace(/\$\{AWS::Region\}/, 'us-east-1');
}

async function put(address: string, body: string | Uint8Array): Promise<void> {
  const response = await fetch(address, { method: 'PUT', body });
  if (!response.ok) throw new Error(`${address}: ${response.status} ${await response.text()}`);
}

async function settled(client: CloudFormationClient, StackName: string) {
  for (let look = 0; look < looks; look += 1) {
    const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName }));
    if (stack?.StackStatus === 'CREATE_COMPLETE') return stack;
    if (stack?.StackStatus !== 'CREATE_IN_PROGRESS') {
      throw new Error(`the stack is ${stack?.StackStatus}: ${stack?.StackStatusReason}`);
    }
    await new Promise((resume) => setTimeout(resume, 250));
  }
  throw new Error('the stack did not settle');
}
