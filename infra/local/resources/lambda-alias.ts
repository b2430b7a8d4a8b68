/** AWS::Lambda::Version and AWS::Lambda::Alias → names of a function; here each has its newest code only. */
import * as z from 'zod';
import { functionNamed } from './cloud.ts';
import { inertProperty, provisioner } from './provisioner.ts';

const versionSchema = z.strictObject({ FunctionName: z.string(), Description: inertProperty });

export const provisionVersion = provisioner(versionSchema, ({ FunctionName }, _, cloud) => {
  const { arn } = functionNamed(cloud, FunctionName);
  return { ref: `${arn}:1`, attributes: { Version: '1' } };
});

const aliasSchema = z.strictObject({
  FunctionName: z.string(),
  // A pinned version would be of code that is not here.
  FunctionVersion: z.literal('1'),
  Name: z.string(),
  Description: inertProperty,
});

export const provisionAlias = provisioner(aliasSchema, ({ FunctionName, Name }, _, cloud) => {
  const { arn } = functionNamed(cloud, FunctionName);
  return { ref: `${arn}:${Name}`, attributes: {} };
});
