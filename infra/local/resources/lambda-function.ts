/** AWS::Lambda::Function → its own bundle in worker threads, with its own environment. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { LocalRunError } from '../errors.ts';
import { LocalFunction } from '../lambda/local-function.ts';
import type { ThreadData } from '../lambda/messages.ts';
import { arnOf, type Cloud, type DeclaredResource, physicalName } from './cloud.ts';
import { inertProperty, provisioner } from './provisioner.ts';

/** The account-wide limit that bounds a function without reserved concurrency. */
const unreservedConcurrency = 1000;

const propertiesSchema = z.strictObject({
  Code: z.strictObject({ S3Bucket: z.string(), S3Key: z.string() }),
  Handler: z.string(),
  Runtime: z.literal('nodejs24.x'),
  Environment: z.strictObject({ Variables: z.record(z.string(), z.string()) }).optional(),
  Timeout: z.number().default(3),
  MemorySize: z.number().default(128),
  ReservedConcurrentExecutions: z.number().optional(),
  LoggingConfig: z
    .strictObject({
      LogFormat: z.enum(['JSON', 'Text']).optional(),
      LogGroup: z.string().optional(),
      ApplicationLogLevel: inertProperty,
      SystemLogLevel: inertProperty,
    })
    .optional(),
  /** CloudFormation refuses a function without a role; here such a function may do anything. */
  Role: z.string().optional(),
  Architectures: inertProperty,
  RecursiveLoop: inertProperty,
  TracingConfig: inertProperty,
  Description: inertProperty,
  Tags: inertProperty,
});

type FunctionProperties = z.infer<typeof propertiesSchema>;

export const provisionFunction = provisioner(propertiesSchema, (properties, resource, cloud) => {
  const functionName = physicalName(cloud, resource);
  const arn = arnOf(cloud, 'lambda', `function:${functionName}`);
  const label = labelOf(resource);
  const taskRoot = taskRootOf(cloud, properties);
  const data: ThreadData = {
    ...bundleOf(taskRoot, properties.Handler),
    functionName,
    functionArn: arn,
    memoryMb: properties.MemorySize,
    logGroupName: properties.LoggingConfig?.LogGroup ?? `/aws/lambda/${functionName}`,
  };
  const { observer } = cloud;
  cloud.functions.push(
    new LocalFunction({
      label,
      arn,
      accessKeyId: functionName,
      startEnvironment: cloud.startEnvironment,
      concurrency: properties.ReservedConcurrentExecutions ?? unreservedConcurrency,
      onFailure: ({ error }) => observer.functionFailed(label, error),
      environment: {
        data,
        environment: environmentOf(cloud, properties, data, taskRoot),
        timeoutMs: properties.Timeout * 1000,
        onLogLine: (line) => observer.logLine(label, line),
      },
    }),
  );
  if (properties.Role !== undefined) takeRole(cloud, functionName, properties.Role);
  return { ref: functionName, attributes: { Arn: arn } };
});

/** @throws LocalRunError for a role whose statements are not all in the template */
function takeRole({ managedRoles, roleTakers }: Cloud, functionName: string, role: string): void {
  const name = role.split('/').at(-1) ?? '';
  if (managedRoles.has(name)) {
    throw new LocalRunError(`its role ${name} has managed policies, which can't be checked here`);
  }
  roleTakers.set(functionName, role);
}

/** `GetinDev/SendEmail/Worker/Function/Resource` → `send-email`. */
function labelOf({ path, logicalId }: DeclaredResource): string {
  const name = path?.split('/')[1] ?? logicalId;
  return name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase();
}

function taskRootOf(cloud: Cloud, { Code }: FunctionProperties): string {
  const taskRoot = cloud.assetPaths.get(Code.S3Key);
  if (taskRoot !== undefined && existsSync(taskRoot)) return taskRoot;
  throw new LocalRunError(`its code ${Code.S3Key} is not among the assembly's assets`);
}

/** `index.handler` → the bundle's file and the exported name. */
function bundleOf(taskRoot: string, handler: string) {
  const dot = handler.lastIndexOf('.');
  const stem = join(taskRoot, handler.slice(0, dot));
  const file = ['.mjs', '.js', '.cjs'].map((ending) => `${stem}${ending}`).find(existsSync);
  if (file === undefined) throw new LocalRunError(`there is no ${stem}.mjs for its handler`);
  return { bundleUrl: pathToFileURL(file).href, handlerName: handler.slice(dot + 1) };
}

/** The template's variables and those that the Lambda runtime sets. */
function environmentOf(
  cloud: Cloud,
  { Environment, Handler, LoggingConfig, MemorySize }: FunctionProperties,
  { functionName, logGroupName }: ThreadData,
  taskRoot: string,
): Record<string, string> {
  return {
    ...Environment?.Variables,
    ...cloud.runtimeEnvironment,
    _HANDLER: Handler,
    AWS_ACCESS_KEY_ID: functionName,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_NAME: functionName,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(MemorySize),
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_FORMAT: LoggingConfig?.LogFormat ?? 'Text',
    AWS_LAMBDA_LOG_GROUP_NAME: logGroupName,
    AWS_LAMBDA_LOG_STREAM_NAME: 'local',
    LAMBDA_TASK_ROOT: taskRoot,
  };
}
