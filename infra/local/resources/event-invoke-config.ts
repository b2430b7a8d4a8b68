/** AWS::Lambda::EventInvokeConfig → retries, event age and failure destination of a function. */
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { defaultAsyncInvokeConfig } from '../lambda/async-invocation.ts';
import { functionNamed, physicalName, queueNamed, sqsAs } from './cloud.ts';
import { provisioner } from './provisioner.ts';

const propertiesSchema = z.strictObject({
  FunctionName: z.string(),
  // Every qualifier runs the same code here.
  Qualifier: z.string(),
  MaximumEventAgeInSeconds: z.number().optional(),
  MaximumRetryAttempts: z.number().default(defaultAsyncInvokeConfig.retryAttempts),
  DestinationConfig: z
    .strictObject({ OnFailure: z.strictObject({ Destination: z.string() }).optional() })
    .optional(),
});

export const provisionEventInvokeConfig = provisioner(
  propertiesSchema,
  (properties, resource, cloud) => {
    const target = functionNamed(cloud, properties.FunctionName);
    const maxAgeSeconds = properties.MaximumEventAgeInSeconds;
    const destination = properties.DestinationConfig?.OnFailure?.Destination;
    const queue = destination === undefined ? undefined : queueNamed(cloud, destination);
    cloud.asyncConfigs.set(target, {
      retryAttempts: properties.MaximumRetryAttempts,
      maxEventAgeMs:
        maxAgeSeconds === undefined
          ? defaultAsyncInvokeConfig.maxEventAgeMs
          : maxAgeSeconds * 1000 * cloud.timeScale,
      sendFailure: queue && ((record) => send(sqsAs(cloud, target), queue.url, record)),
    });
    return { ref: physicalName(cloud, resource), attributes: {} };
  },
);

async function send(
  sqs: { send(command: SendMessageCommand): Promise<unknown> },
  QueueUrl: string,
  MessageBody: string,
): Promise<void> {
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));
}
