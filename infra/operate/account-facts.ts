/** Reads the facts that the preflight checks from AWS and the marketplace. Changes nothing. */
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  GetIdentityVerificationAttributesCommand,
  GetSendQuotaCommand,
  SESClient,
} from '@aws-sdk/client-ses';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { MarketplaceClient } from '#shared/marketplace/client.ts';
import { AuthenticationError, MarketplaceError } from '#shared/marketplace/errors.ts';
import { OperatorError } from './command.ts';
import type { AccountFacts } from './preflight.ts';

export interface FactsWanted {
  marketplaceUrl: string;
  sender: string;
  marketplaceKey: string | undefined;
}

/** @throws OperatorError without a region or credentials */
export async function gatherFacts(wanted: FactsWanted): Promise<AccountFacts> {
  const { accountId, region } = await whereTo();
  const [bootstrapped, senderIdentity, mailsPerDay, lambdaConcurrency, marketplaceKey] =
    await Promise.all([
      stackExists('CDKToolkit'),
      identityOf(wanted.sender),
      mailsPerDayOf(),
      concurrencyOf(),
      tryKey(wanted),
    ]);
  return {
    ...{ accountId, region, bootstrapped, senderIdentity },
    ...{ mailsPerDay, lambdaConcurrency, marketplaceKey },
  };
}

/** The account and Region of the credentials and the environment. */
export async function whereTo(): Promise<{ accountId: string; region: string }> {
  const client = new STSClient({});
  const region = await client.config.region().catch((cause) => {
    throw new OperatorError('No Region: set AWS_REGION, or a profile that has one.', { cause });
  });
  try {
    const { Account = '' } = await client.send(new GetCallerIdentityCommand({}));
    return { accountId: Account, region };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new OperatorError(
      `No account: AWS takes none of the credentials here (${reason}). Set AWS_PROFILE, or sign in.`,
      { cause },
    );
  }
}

/** @returns the stack's outputs by name; undefined when there is no such stack */
export async function outputsOf(name: string): Promise<Map<string, string> | undefined> {
  try {
    const answer = await new CloudFormationClient({}).send(
      new DescribeStacksCommand({ StackName: name }),
    );
    const outputs = answer.Stacks?.[0]?.Outputs ?? [];
    return new Map(outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));
  } catch (error) {
    if (error instanceof Error && error.message.includes('does not exist')) return undefined;
    throw error;
  }
}

async function stackExists(name: string): Promise<boolean> {
  return (await outputsOf(name)) !== undefined;
}

async function identityOf(sender: string): Promise<AccountFacts['senderIdentity']> {
  const Identities = [sender, sender.slice(sender.indexOf('@') + 1)];
  const { VerificationAttributes = {} } = await new SESClient({}).send(
    new GetIdentityVerificationAttributesCommand({ Identities }),
  );
  const states = Object.values(VerificationAttributes).map((one) => one.VerificationStatus);
  if (states.includes('Success')) return 'verified';
  return states.includes('Pending') ? 'pending' : 'unknown';
}

async function mailsPerDayOf(): Promise<number> {
  const { Max24HourSend = 0 } = await new SESClient({}).send(new GetSendQuotaCommand({}));
  return Max24HourSend;
}

async function concurrencyOf(): Promise<number> {
  const { AccountLimit } = await new LambdaClient({}).send(new GetAccountSettingsCommand({}));
  return AccountLimit?.ConcurrentExecutions ?? 0;
}

async function tryKey({ marketplaceUrl, marketplaceKey }: FactsWanted) {
  if (!marketplaceKey) return 'missing';
  try {
    const client = new MarketplaceClient({ baseUrl: marketplaceUrl, apiKey: marketplaceKey });
    await client.account();
    return 'accepted';
  } catch (error) {
    if (error instanceof AuthenticationError) return 'refused';
    if (error instanceof MarketplaceError) return 'unreachable';
    throw error;
  }
}
