/** A deployment from the checks to the secrets. Knows no flags; deploy-request.ts reads them. */
import { pointOperatorWebhook } from '#shared/delivery/operator-webhook.ts';
import { configFor } from '../config.ts';
import { gatherFacts } from './account-facts.ts';
import { changeStack } from './change-stack.ts';
import { OperatorError, stackNameOf } from './command.ts';
import type { DeployRequest } from './deploy-request.ts';
import type { Deployment, DeployTools } from './deployment.ts';
import { enterPlace } from './place.ts';
import { type DeploymentSettings, judge } from './preflight.ts';
import { protectStack } from './protect-stack.ts';
import { describeStack, isDeployed, outputsOf } from './stack.ts';
import { putSecret, storedSecret } from './stack-secrets.ts';

/**
 * @returns an exit code: 0 if the stack is as asked, 2 if a person has to do something first
 * @throws OperatorError for a fault of the request
 */
export async function deployStack(request: DeployRequest, tools: DeployTools): Promise<number> {
  const stackName = stackNameOf(request.stage);
  const place = await enterPlace(request.pin, tools.clients);
  const found = await describeStack(stackName, tools.clients);
  const stack = isDeployed(found) ? found : undefined;
  const planned: Deployment = { request, stackName, place, stack };
  if (!(await passes(planned, tools))) return 2;
  const code = await changeStack(planned, tools);
  if (code !== 0 || request.isCheck) return code;
  await protectStack(planned, tools);
  await putSecrets(planned, tools);
  await sayWhatIsThere(stackName, tools);
  return 0;
}

/** Prints what the checks find. @returns false if something prevents the deployment */
async function passes(planned: Deployment, tools: DeployTools): Promise<boolean> {
  const { request, stackName, place } = planned;
  const settings = settingsOf(planned);
  // Also checks a stored key, so that a replaced key is reported before the deployment instead of
  // by failing polls.
  const marketplaceKey =
    request.marketplaceKey ??
    (await storedSecret(stackName, 'MarketplaceKeySecret', tools.clients));
  const wanted = { ...settings, stackName, marketplaceKey, fetch: tools.fetch };
  const facts = await gatherFacts(wanted, place, tools.clients);
  tools.say(`Account ${place.accountId}, Region ${place.region}, stage ${request.stage}`);
  const { faults, notes } = judge(facts, settings, configFor(request.stage));
  for (const note of notes) tools.say(`note: ${note}.`);
  for (const fault of faults) tools.complain(`fault: ${fault}.`);
  return faults.length === 0;
}

/** The settings that the stack will have: given, or else as it has them. */
function settingsOf({ request, stack }: Deployment): DeploymentSettings {
  const values: Record<string, string> = { ...stack?.parameters, ...request.parameters };
  const { MarketplaceUrl: marketplaceUrl = '', EmailSender: sender = '' } = values;
  if (marketplaceUrl === '' || sender === '') {
    throw new OperatorError(
      `The first deployment of a stage needs --marketplace-url and --sender, as flags or in infra/stages/${request.stage}.json.`,
    );
  }
  const { SenderDomain: senderDomain = '', ApiDomain: apiDomain = '' } = values;
  const { stage, keyVariable } = request;
  const apiCertificate = values.ApiCertificate ?? '';
  return { stage, keyVariable, marketplaceUrl, sender, senderDomain, apiDomain, apiCertificate };
}

async function putSecrets({ request, stackName }: Deployment, tools: DeployTools): Promise<void> {
  const { marketplaceKey, operatorWebhook } = request;
  const { clients, say } = tools;
  if (marketplaceKey !== undefined) {
    await putSecret(stackName, 'MarketplaceKeySecret', marketplaceKey, clients);
    say('The marketplace key is stored in its secret; the functions use it within five minutes.');
  }
  if (operatorWebhook === undefined) return;
  // The signing secret stays that of the stack's creation: a receiver reads it from the same place.
  const stored = (await storedSecret(stackName, 'OperatorWebhookSecret', clients)) ?? '';
  const pointed = pointOperatorWebhook(stored, operatorWebhook);
  await putSecret(stackName, 'OperatorWebhookSecret', pointed, clients);
  say(
    operatorWebhook === ''
      ? "The operator's webhook is removed."
      : "The operator's webhook is stored in OperatorWebhookSecret, with its signing secret.",
  );
}

async function sayWhatIsThere(stackName: string, { clients, say }: DeployTools): Promise<void> {
  const outputs = await outputsOf(stackName, clients);
  say(
    `API ${outputs?.get('ApiUrl')}/v1\n` +
      `The first API key: aws secretsmanager get-secret-value --secret-id ${outputs?.get('AdminKeySecret')}` +
      ' (its prefix and its secret, joined)',
  );
}
