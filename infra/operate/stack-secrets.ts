/** The secrets of a deployed stack, found by the outputs that name them. Prints no value. */
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { outputsOf } from './account-facts.ts';
import { OperatorError } from './command.ts';

export type SecretOutput = 'MarketplaceKeySecret' | 'OperatorWebhookSecret';

/** @returns undefined when there is no such stack, or the stack has no such secret */
export async function storedSecret(
  stackName: string,
  output: SecretOutput,
): Promise<string | undefined> {
  const id = (await outputsOf(stackName).catch(() => undefined))?.get(output);
  if (id === undefined) return undefined;
  const answer = await new SecretsManagerClient({}).send(
    new GetSecretValueCommand({ SecretId: id }),
  );
  return answer.SecretString;
}

/** @throws OperatorError when the stack has no such secret */
export async function putSecret(
  stackName: string,
  output: SecretOutput,
  value: string,
): Promise<void> {
  const id = (await outputsOf(stackName))?.get(output);
  if (id === undefined) throw new OperatorError(`Stack ${stackName} has no ${output}.`);
  await new SecretsManagerClient({}).send(
    new PutSecretValueCommand({ SecretId: id, SecretString: value }),
  );
}
