/** The secrets of a deployed stack, found by the outputs that name them. Prints no value. */
import { GetSecretValueCommand, PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { connectAws, type OperatorClients } from './aws-connection.ts';
import { OperatorError } from './command.ts';
import { outputsOf } from './stack.ts';

export type SecretOutput = 'MarketplaceKeySecret' | 'OperatorWebhookSecret' | 'TelegramBotSecret';

/** @returns undefined when there is no such stack, or the stack has no such secret */
export async function storedSecret(
  stackName: string,
  output: SecretOutput,
  clients: OperatorClients = connectAws(),
): Promise<string | undefined> {
  const id = (await outputsOf(stackName, clients))?.get(output);
  if (id === undefined) return undefined;
  const answer = await clients.secrets.send(new GetSecretValueCommand({ SecretId: id }));
  return answer.SecretString;
}

/** @throws OperatorError when the stack has no such secret */
export async function putSecret(
  stackName: string,
  output: SecretOutput,
  value: string,
  clients: OperatorClients = connectAws(),
): Promise<void> {
  const id = (await outputsOf(stackName, clients))?.get(output);
  if (id === undefined) throw new OperatorError(`Stack ${stackName} has no ${output}.`);
  await clients.secrets.send(new PutSecretValueCommand({ SecretId: id, SecretString: value }));
}
