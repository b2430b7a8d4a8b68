/**
 * Reads out of a signed request to an emulated service who calls and what for, as IAM
 * names it. It checks no signature: nobody but this machine can call.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Access } from './policy.ts';

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
  /** Every one of them has to be allowed. */
  accesses: Access[];
}

/** @returns undefined for a request that no client of AWS signed, such as the inbox's page */
export function signerOf(headers: IncomingHttpHeaders): string | undefined {
  return /Credential=([^/]+)\//.exec(headers.authorization ?? '')?.[1];
}

/** @returns what a signed request to a service asks to do */
export function callOf(
  request: { headers: IncomingHttpHeaders; body: string },
  { service, ...place }: ServicePlace,
): AwsCall {
  const accessKeyId = signerOf(request.headers) ?? '';
  if (service === 'ses') return { accessKeyId, accesses: mailAccesses(request.body, place) };
  const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
  const input = parseInput(request.body);
  // A batch of messages is allowed as each of them is.
  const action = `${service}:${service === 'sqs' ? operation.replace(/Batch$/, '') : operation}`;
  const resources = resourcesIn[service](input, place);
  return {
    accessKeyId,
    accesses: resources.map((resource) => ({ action, resource, context: {} })),
  };
}

type Input = Readonly<Record<string, unknown>>;

/** A call that names nothing is on everything, and so needs a statement that allows that. */
const resourcesIn: Record<Exclude<AwsService, 'ses'>, (input: Input, place: Place) => string[]> = {
  dynamodb: ({ TableName, IndexName, RequestItems }, place) => {
    const tableArn = (name: string) => arn('dynamodb', `table/${name}`, place);
    // A batch is on each table that it names.
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

/** SES asks for the sender's identity, and for the configuration set where one is named. */
function mailAccesses(body: string, place: Place): Access[] {
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
