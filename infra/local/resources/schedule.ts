/** AWS::Scheduler::Schedule → a timer that invokes a function asynchronously. */
import * as z from 'zod';
import { messageOf } from '../errors.ts';
import { defaultAsyncInvokeConfig, invokeAsync } from '../lambda/async-invocation.ts';
import { parseRateMs } from '../triggers/rate-expression.ts';
import { Scheduler } from '../triggers/scheduler.ts';
import { arnOf, functionNamed, physicalName } from './cloud.ts';
import { inertProperty, provisioner } from './provisioner.ts';

const propertiesSchema = z.strictObject({
  ScheduleExpression: z.string(),
  FlexibleTimeWindow: z.strictObject({ Mode: z.literal('OFF') }),
  State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
  Target: z.strictObject({
    Arn: z.string(),
    Input: z.string().default('{}'),
    // On this machine the call from Scheduler to Lambda never fails.
    RetryPolicy: inertProperty,
    DeadLetterConfig: inertProperty,
    RoleArn: inertProperty,
  }),
  // A rate counts from its start, in any time zone.
  ScheduleExpressionTimezone: inertProperty,
  Description: inertProperty,
});

export const provisionSchedule = provisioner(propertiesSchema, (properties, resource, cloud) => {
  const name = physicalName(cloud, resource);
  const scheduleArn = arnOf(cloud, 'scheduler', `schedule/default/${name}`);
  const target = functionNamed(cloud, properties.Target.Arn);
  const { clock, timeScale, observer } = cloud;
  const scheduler = new Scheduler({
    scheduleArn,
    intervalMs: parseRateMs(properties.ScheduleExpression) * timeScale,
    input: properties.Target.Input,
    clock,
    fire: (event) => {
      const config = cloud.asyncConfigs.get(target) ?? defaultAsyncInvokeConfig;
      return invokeAsync({ target, event, config, clock, timeScale });
    },
    onFault: (error) =>
      observer.trouble(`${target.label}: its failure can't be recorded: ${messageOf(error)}`),
  });
  if (properties.State === 'ENABLED') cloud.triggers.push(scheduler);
  return { ref: name, attributes: { Arn: scheduleArn } };
});
