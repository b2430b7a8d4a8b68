/** Reads the facts that the preflight checks from AWS and the marketplace. Changes nothing. */
import { GetAccountSettingsCommand } from '@aws-sdk/client-lambda';
import { GetIdentityVerificationAttributesCommand } from '@aws-sdk/client-ses';
import { GetAccountCommand } from '@aws-sdk/client-sesv2';
import { MarketplaceClient } from '#shared/marketplace/client.ts';
import {
  AuthenticationError,
  MarketplaceError,
  NetworkError,
  SubscriptionError,
} from '#shared/marketplace/errors.ts';
import type { OperatorClients } from './aws-connection.ts';
import type { StagePlace } from './place.ts';
import type { AccountFacts, DeploymentSettings } from './preflight.ts';
import { describeStack, isDeployed, resourcesOf } from './stack.ts';

export interface FactsWanted extends DeploymentSettings {
  readonly stackName: string;
  readonly marketplaceKey: string | undefined;
  /** @default Node's own */
  readonly fetch?: typeof fetch | undefined;
}

export async function gatherFacts(
  wanted: FactsWanted,
  place: StagePlace,
  clients: OperatorClients,
): Promise<AccountFacts> {
  const [bootstrap, identities, mail, lambdaConcurrency, marketplace] = await Promise.all([
    describeStack('CDKToolkit', clients),
    identitiesOf(wanted, clients),
    mailOf(clients),
    concurrencyOf(clients),
    tryKey(wanted),
  ]);
  const facts = { ...place, ...identities, ...mail, ...marketplace, lambdaConcurrency };
  return { ...facts, bootstrapped: bootstrap !== undefined };
}

async function identitiesOf(wanted: FactsWanted, clients: OperatorClients) {
  const { sender, senderDomain } = wanted;
  const asked = new Set([sender, sender.slice(sender.indexOf('@') + 1), senderDomain]);
  asked.delete('');
  const { VerificationAttributes = {} } = await clients.ses.send(
    new GetIdentityVerificationAttributesCommand({ Identities: [...asked] }),
  );
  const states = Object.values(VerificationAttributes).map((one) => one.VerificationStatus);
  const unverified = states.includes('Pending') ? 'pending' : 'unknown';
  const isKnown = senderDomain !== '' && senderDomain in VerificationAttributes;
  return {
    senderIdentity: states.includes('Success') ? 'verified' : unverified,
    hasForeignDomain: isKnown && !(await isOfStack(wanted, clients)),
  } as const;
}

/** Whether the stack made the identity of the sender's domain. */
async function isOfStack({ stackName, senderDomain }: FactsWanted, clients: OperatorClients) {
  if (!isDeployed(await describeStack(stackName, clients))) return false;
  const resources = await resourcesOf(stackName, clients);
  return resources.some(
    ({ ResourceType, PhysicalResourceId }) =>
      ResourceType === 'AWS::SES::EmailIdentity' && PhysicalResourceId === senderDomain,
  );
}

async function mailOf({ sesV2 }: OperatorClients) {
  const answer = await sesV2.send(new GetAccountCommand({}));
  return {
    isMailPaused: answer.SendingEnabled === false,
    isMailSandbox: answer.ProductionAccessEnabled !== true,
    mailsPerDay: answer.SendQuota?.Max24HourSend ?? 0,
  };
}

async function concurrencyOf({ lambda }: OperatorClients): Promise<number> {
  const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand({}));
  return AccountLimit?.ConcurrentExecutions ?? 0;
}

/** One free call with the key, so that a wrong one is reported before the deployment instead of by failing polls. */
async function tryKey({
  marketplaceUrl: baseUrl,
  marketplaceKey: apiKey,
  fetch,
}: FactsWanted): Promise<Pick<AccountFacts, 'marketplaceKey' | 'marketplaceReason'>> {
  if (!apiKey) return { marketplaceKey: 'missing' };
  try {
    await new MarketplaceClient({ baseUrl, apiKey, fetch }).account();
    return { marketplaceKey: 'accepted' };
  } catch (error) {
    if (error instanceof AuthenticationError) return { marketplaceKey: 'refused' };
    if (error instanceof SubscriptionError) return { marketplaceKey: 'unsubscribed' };
    if (error instanceof NetworkError) return { marketplaceKey: 'unreachable' };
    if (error instanceof TypeError) return failed('misshapen', error);
    if (error instanceof MarketplaceError) return failed('failed', error);
    throw error;
  }
}

/** The client's errors never contain the key. */
function failed(marketplaceKey: 'misshapen' | 'failed', { message }: Error) {
  return { marketplaceKey, marketplaceReason: message } as const;
}
