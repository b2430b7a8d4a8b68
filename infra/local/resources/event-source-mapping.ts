/** AWS::Lambda::EventSourceMapping → a poller that drains a queue into a function. */
import * as z from 'zod';
import { SqsEventSource } from '../triggers/sqs-event-source.ts';
import { functionNamed, physicalName, queueNamed, sqsAs } from './cloud.ts';
import { inertProperty, provisioner } from './provisioner.ts';

/** AWS's concurrency limit for an event source without a maximum. */
const unboundedConcurrency = 1000;

const propertiesSchema = z.strictObject({
  EventSourceArn: z.string(),
  FunctionName: z.string(),
  BatchSize: z.number().default(10),
  MaximumBatchingWindowInSeconds: z.number().default(0),
  FunctionResponseTypes: z.array(z.literal('ReportBatchItemFailures')).default([]),
  ScalingConfig: z.strictObject({ MaximumConcurrency: z.number() }).optional(),
  Enabled: z.boolean().default(true),
  Tags: inertProperty,
});

export const provisionEventSource = provisioner(propertiesSchema, (properties, resource, cloud) => {
  const target = functionNamed(cloud, properties.FunctionName);
  const queue = queueNamed(cloud, properties.EventSourceArn);
  const source = new SqsEventSource({
    queueUrl: queue.url,
    queueArn: queue.arn,
    region: cloud.region,
    target,
    batchSize: properties.BatchSize,
    batchingWindowMs: properties.MaximumBatchingWindowInSeconds * 1000,
    maxConcurrency: properties.ScalingConfig?.MaximumConcurrency ?? unboundedConcurrency,
    reportsItemFailures: properties.FunctionResponseTypes.includes('ReportBatchItemFailures'),
    sqs: sqsAs(cloud, target),
    onTrouble: cloud.observer.trouble,
  });
  if (properties.Enabled) {
    cloud.triggers.push(source);
    queue.drainedBy = target;
  }
  return { ref: physicalName(cloud, resource), attributes: {} };
});
