/** Creates the template's schedules in moto's Scheduler, and reads them back. */
import type { CloudAssembly } from '#infra/local/assembly/cloud-assembly.ts';
import type { DeployedStack } from './deploy.ts';
import type { MotoServer } from './moto-server.ts';

export interface StoredSchedule {
  ScheduleExpression: string;
  State: string;
  Target: { Arn: string };
}

const account = '123456789012';

/** The ARN format of a resource type, around its physical name. */
const arnOf: Readonly<Record<string, (name: string) => string>> = {
  'AWS::Lambda::Function': (name) => `arn:aws:lambda:us-east-1:${account}:function:${name}`,
  'AWS::IAM::Role': (name) => `arn:aws:iam::${account}:role/${name}`,
  'AWS::SQS::Queue': (url) => `arn:aws:sqs:us-east-1:${account}:${url.split('/').at(-1)}`,
};

/** Properties with all ARN references resolved. */
export function withArns(
  value: unknown,
  deployed: { stack: DeployedStack; assembly: CloudAssembly },
): unknown {
  if (Array.isArray(value)) return value.map((item) => withArns(item, deployed));
  if (typeof value !== 'object' || value === null) return value;
  // The usual value of what a parameter can change.
  const { 'Fn::If': [, usual] = [] } = value as { 'Fn::If'?: unknown[] };
  if (usual !== undefined) return withArns(usual, deployed);
  const { 'Fn::GetAtt': [id = ''] = [] } = value as { 'Fn::GetAtt'?: string[] };
  const type = deployed.assembly.template.Resources[id]?.Type ?? '';
  const arn = arnOf[type]?.(deployed.stack.physicalIds.get(id) ?? '');
  if (arn !== undefined) return arn;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, withArns(item, deployed)]),
  );
}

export async function putSchedule(
  moto: MotoServer,
  name: string,
  properties: unknown,
): Promise<void> {
  await ask(moto, name, { method: 'POST', body: JSON.stringify(properties) });
}

export async function getSchedule(moto: MotoServer, name: string): Promise<StoredSchedule> {
  return (await ask(moto, name, {})) as StoredSchedule;
}

async function ask({ url }: MotoServer, name: string, request: RequestInit): Promise<unknown> {
  const authorization =
    'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/scheduler/aws4_request';
  const response = await fetch(`${url}/schedules/${name}`, {
    ...request,
    headers: { 'content-type': 'application/json', authorization },
  });
  if (!response.ok) throw new Error(`schedule ${name}: ${await response.text()}`);
  return response.json();
}
