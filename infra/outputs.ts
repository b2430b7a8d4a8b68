/** The stack's outputs: what the operator's commands and people look up after a deployment. */
import { CfnOutput, type Stack } from 'aws-cdk-lib';
import type { PublicHttpApi } from './constructs/http-api.ts';
import type { Secrets } from './constructs/secrets.ts';
import type { Tables } from './constructs/tables.ts';
import type { Worker } from './constructs/worker.ts';
import { settingsOutput } from './releases.ts';
import { productTables, tableOutputs } from './restored-names.ts';

export interface OutputSources {
  readonly secrets: Secrets;
  readonly api: PublicHttpApi;
  readonly tables: Tables;
  readonly workers: readonly Worker[];
}

/** Declares the outputs on the stack, under the names that the commands use. */
export function declareOutputs(stack: Stack, sources: OutputSources): void {
  const { secrets, api, tables, workers } = sources;
  new CfnOutput(stack, 'ApiUrl', { value: api.url });
  new CfnOutput(stack, 'MarketplaceKeySecret', {
    value: secrets.marketplaceKey.secretArn,
    description: 'Put the marketplace API key here: aws secretsmanager put-secret-value',
  });
  new CfnOutput(stack, 'OperatorWebhookSecret', {
    value: secrets.operatorWebhook.secretArn,
    description:
      'JSON {"url","secret"}: the address for notices about the deployment, and the secret that signs them',
  });
  new CfnOutput(stack, 'TelegramBotSecret', {
    value: secrets.telegramBot.secretArn,
    description: 'JSON {"token","username","webhookSecret"}: put by npm run telegram',
  });
  new CfnOutput(stack, 'AdminKeySecret', {
    value: secrets.adminKey.secretArn,
    description: 'The first API key is its prefix and its secret, joined',
  });
  new CfnOutput(stack, settingsOutput, {
    value: String(stack.node.tryGetContext('settings') ?? 'none'),
    description: 'Fingerprint of the settings that the versions of the functions have',
  });
  for (const name of productTables) {
    new CfnOutput(stack, tableOutputs[name], { value: tables[name].tableName });
  }
  for (const { node, deadLetters } of workers) {
    new CfnOutput(stack, `${node.id}DeadLetters`, { value: deadLetters.queueUrl });
  }
}
