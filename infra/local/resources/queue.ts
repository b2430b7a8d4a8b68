/** AWS::SQS::Queue → a queue in fauxqs, with the template's visibility and redrive policy. */
import { CreateQueueCommand } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { arnOf, physicalName } from './cloud.ts';
import { inertProperty, provisioner } from './provisioner.ts';

const propertiesSchema = z.strictObject({
  VisibilityTimeout: z.number().optional(),
  MessageRetentionPeriod: z.number().optional(),
  DelaySeconds: z.number().optional(),
  MaximumMessageSize: z.number().optional(),
  ReceiveMessageWaitTimeSeconds: z.number().optional(),
  RedrivePolicy: z
    .strictObject({ deadLetterTargetArn: z.string(), maxReceiveCount: z.number() })
    .optional(),
  SqsManagedSseEnabled: inertProperty,
  KmsMasterKeyId: inertProperty,
  Tags: inertProperty,
});

export const provisionQueue = provisioner(propertiesSchema, async (properties, resource, cloud) => {
  const name = physicalName(cloud, resource);
  const { SqsManagedSseEnabled, KmsMasterKeyId, Tags, RedrivePolicy, ...numbers } = properties;
  const attributes = Object.fromEntries(
    Object.entries(numbers).map(([attribute, value]) => [attribute, String(value)]),
  );
  await cloud.sqs.send(
    new CreateQueueCommand({
      QueueName: name,
      Attributes: {
        ...attributes,
        ...(RedrivePolicy && { RedrivePolicy: JSON.stringify(RedrivePolicy) }),
      },
    }),
  );
  // The emulator's own URL has a host name that does not resolve.
  const url = `${cloud.sqsUrl}/${cloud.accountId}/${name}`;
  const arn = arnOf(cloud, 'sqs', name);
  cloud.queues.push({ arn, url });
  return { ref: url, attributes: { Arn: arn, QueueName: name, QueueUrl: url } };
});
