/**
 * Reads the caller and the requested actions, by IAM's names, out of a signed request to an
 * emulated service. Does not check the signature: only this machine can call.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { AccessRequest } from './policy.ts';

export type AwsService = 'dynamodb' | 'sqs' | 'secretsmanager' | 'ses';

interface Place {
  region: string;
  accountId: string;
}

export interface ServicePlace extends Place {
  service: AwsService;
}

export interface AwsCall {
  accessKeyId: string;
  /** All of these must be allowed. */
  accesses: AccessRequest[];
}

/** @returns undefined for a request without an AWS signature, such as the inbox's page */
export function signerOf(headers: IncomingHttpHeaders): string | undefined {
  return /Credential=([^/]+)\//.exec(headers.authorization ?? '')?.[1];
}

/** @returns the actions that a signed request to a service needs */
export function callOf(
  request: { headers: IncomingHttpHeaders; body: string },
  { service, ...place }: ServicePlace,
): AwsCall {
  const accessKeyId = signerOf(request.headers) ?? '';
  if (service === 'ses') return { accessKeyId, accesses: mailAccesses(request.body, place) };
  const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
  const input = parseInput(request.body);
  // IAM checks a batch of messages by the action of the single message.
  const action = `${service}:${service === 'sqs' ? operation.replace(/Batch$/, '') : operation}`;
  const resources = resourcesIn[service](input, place);
  return {
    accessKeyId,
    accesses: resources.map((resource) => ({ action, resource, context: {} })),
  };
}

type Input = Readonly<Record<string, unknown>>;

/** A call that names no resource needs a statement for all resources. */
const resourcesIn: Record<Exclude<AwsService, 'ses'>, (input: Input, place: Place) => string[]> = {
  dynamodb: ({ TableName, IndexName, RequestItems }, place) => {
    const tableArn = (name: string) => arn('dynamodb', `table/${name}`, place);
    // A batch needs access to each table that it names.
    if (typeof RequestItems === 'object' && RequestItems) {
      const tables = Object.keys(RequestItems);
      return tables.length > 0 ? tables.map(tableArn) : ['*'];
    }
    if (typeof TableName !== 'string') return ['*'];
    const table = tableArn(TableName);
    return [typeof IndexName === 'string' ? `${table}/index/${IndexName}` : table];
  },
  sqs: ({ QueueUrl }, place) =>
    typeof QueueUrl === 'string' ? [arn('sqs', QueueUrl.split('/').at(-1) ?? '', place)] : ['*'],
  secretsmanager: ({ SecretId }) => [typeof SecretId === 'string' ? SecretId : '*'],
};

/** SES checks the sender's identity, and the configuration set if one is given. */
function mailAccesses(body: string, place: Place): AccessRequest[] {
  const form = new URLSearchParams(body);
  const action = `ses:${form.get('Action')}`;
  const sender = form.get('Source') ?? undefined;
  const set = form.get('ConfigurationSetName') ?? undefined;
  const context = { 'ses:FromAddress': sender };
  const resources = [
    sender === undefined ? '*' : arn('ses', `identity/${sender}`, place),
    ...(set === undefined ? [] : [arn('ses', `configuration-set/${set}`, place)]),
  ];
  return resources.map((resource) => ({ action, resource, context }));
}

function arn(service: string, resource: string, { region, accountId }: Place): string {
  return `arn:aws:${service}:${region}:${accountId}:${resource}`;
}

function parseInput(body: string): Input {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Input) : {};
  } catch {
    return {};
  }
}
