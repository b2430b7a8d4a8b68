/**
 * Turns a function's access (access.ts) into statements of its role and environment variables: only
 * the named actions and ARNs.
 */
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { FunctionAccess, QueueName, SecretName, TableAction, Variable } from '../access.ts';
import type { Secrets } from './secrets.ts';
import type { Tables } from './tables.ts';

export interface Reachable {
  readonly tables: Tables;
  readonly queues: Readonly<Record<QueueName, Queue>>;
  readonly secrets: Secrets;
  readonly variables: Readonly<Record<Variable, string>>;
}

const queueVariables = {
  poll: 'POLL_QUEUE_URL',
  evaluate: 'EVALUATE_QUEUE_URL',
  email: 'EMAIL_QUEUE_URL',
  webhook: 'WEBHOOK_QUEUE_URL',
  jobs: 'JOBS_QUEUE_URL',
} as const satisfies Record<QueueName, string>;

const secretVariables = {
  marketplaceKey: 'MARKETPLACE_KEY_SECRET',
  adminKey: 'ADMIN_KEY_SECRET',
  linkSecret: 'LINK_SECRET',
  operatorWebhook: 'OPERATOR_WEBHOOK_SECRET',
  telegramBot: 'TELEGRAM_BOT_SECRET',
} as const satisfies Record<SecretName, string>;

/** Grants a function its access and sets the variables that name the resources. */
export function grantAccess(
  lambda: LambdaFunction,
  access: FunctionAccess,
  reachable: Reachable,
): void {
  const { watchlist, snapshots } = reachable.tables;
  if (access.watchlist) {
    grantTable(lambda, 'WATCHLIST_TABLE', { table: watchlist, actions: access.watchlist });
  }
  grantIndexes(lambda, watchlist, access.indexes ?? []);
  if (access.snapshots) {
    grantTable(lambda, 'SNAPSHOTS_TABLE', { table: snapshots, actions: access.snapshots });
  }
  const { queues } = reachable;
  for (const name of access.queues ?? []) grantQueue(lambda, name, queues, 'sqs:SendMessage');
  for (const name of access.secrets ?? []) {
    grantSecret(lambda, secretVariables[name], reachable.secrets[name]);
  }
  for (const name of access.variables ?? []) {
    lambda.addEnvironment(name, reachable.variables[name]);
  }
}

/** Lets a function's event source receive messages of a queue. */
export function grantConsumption(lambda: LambdaFunction, queue: Queue): void {
  const actions = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
  allow(lambda, actions, [queue.queueArn]);
}

function grantTable(
  lambda: LambdaFunction,
  variable: string,
  { table, actions }: { table: ITable; actions: readonly TableAction[] },
): void {
  lambda.addEnvironment(variable, table.tableName);
  const named = actions.map((action) => `dynamodb:${action}`);
  if (named.length > 0) allow(lambda, named, [table.tableArn]);
}

function grantIndexes(lambda: LambdaFunction, table: ITable, indexes: readonly string[]): void {
  if (indexes.length === 0) return;
  const arns = indexes.map((index) => `${table.tableArn}/index/${index}`);
  allow(lambda, ['dynamodb:Query'], arns);
}

function grantQueue(
  lambda: LambdaFunction,
  name: QueueName,
  queues: Reachable['queues'],
  action: string,
): void {
  lambda.addEnvironment(queueVariables[name], queues[name].queueUrl);
  allow(lambda, [action], [queues[name].queueArn]);
}

function grantSecret(lambda: LambdaFunction, variable: string, secret: Secret): void {
  lambda.addEnvironment(variable, secret.secretArn);
  allow(lambda, ['secretsmanager:GetSecretValue'], [secret.secretArn]);
}

function allow(lambda: LambdaFunction, actions: string[], resources: string[]): void {
  lambda.addToRolePolicy(new PolicyStatement({ actions, resources }));
}
