/**
 * Judges whether a deployment can work, from facts about the account that somebody else
 * gathered: every fault at once, each in one line with what to do. It calls nothing.
 */

import type { StackConfig } from '../config.ts';
import { stackConfigSchema } from '../config.ts';

export interface DeploymentSettings {
  stage: 'dev' | 'prod';
  marketplaceUrl: string;
  sender: string;
  /** Empty: SES has an identity for the sender already. */
  senderDomain: string;
}

export interface AccountFacts {
  accountId: string;
  region: string;
  /** Whether the CDK's own stack is there, which holds the functions' code on its way. */
  bootstrapped: boolean;
  /** What SES knows of the sender's address or its domain. */
  senderIdentity: 'verified' | 'pending' | 'unknown';
  /** Mails that the account may send in 24 hours. */
  mailsPerDay: number;
  /** Concurrent executions that the account has in all. */
  lambdaConcurrency: number;
  /** What the marketplace says to the key that the stack will use. */
  marketplaceKey: 'accepted' | 'refused' | 'unreachable' | 'missing';
}

export interface Verdict {
  /** Each keeps the deployment from working. */
  faults: string[];
  /** Each is worth knowing. */
  notes: string[];
}

/** Lambda keeps as many executions unreserved, whatever is asked for. */
const unreservedConcurrency = 100;
/** What SES gives an account that hasn't asked for more. */
const sandboxMailsPerDay = 200;

export function judge(
  facts: AccountFacts,
  settings: DeploymentSettings,
  config: StackConfig,
): Verdict {
  const verdicts = [
    judgeBootstrap(facts),
    judgeConcurrency(facts, config),
    judgeSender(facts, settings),
    judgeMarketplaceKey(facts, settings),
  ];
  return {
    faults: verdicts.flatMap(({ faults = [] }) => faults),
    notes: verdicts.flatMap(({ notes = [] }) => notes),
  };
}

/**
 * Executions that the account has to have: what is set aside for single functions, and what
 * the event sources may use at once, or what Lambda keeps unreserved if that is more.
 */
export function concurrencyNeeded(config: StackConfig): number {
  const { api, dispatch, reconcile, ...rest } = stackConfigSchema.parse(config);
  const { poll, evaluate, sendEmail, sendWebhook, mailFeedback } = rest;
  const reserved = sum([api, dispatch, reconcile].map((one) => one.reservedConcurrency));
  const workers = [poll, evaluate, sendEmail, sendWebhook, mailFeedback];
  const shared = sum(workers.map(({ maxConcurrency }) => maxConcurrency));
  return reserved + Math.max(unreservedConcurrency, shared);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, one) => total + one, 0);
}

function judgeBootstrap({ bootstrapped, accountId, region }: AccountFacts): Partial<Verdict> {
  if (bootstrapped) return {};
  return {
    faults: [
      `Region ${region} is not prepared for the CDK: run npx cdk bootstrap aws://${accountId}/${region}`,
    ],
  };
}

function judgeConcurrency(
  { lambdaConcurrency }: AccountFacts,
  config: StackConfig,
): Partial<Verdict> {
  const needed = concurrencyNeeded(config);
  if (lambdaConcurrency >= needed) return {};
  return {
    faults: [
      `The account can run ${lambdaConcurrency} functions at once and needs ${needed}: request more ` +
        'under Service Quotas, AWS Lambda, Concurrent executions',
    ],
  };
}

function judgeSender(facts: AccountFacts, settings: DeploymentSettings): Partial<Verdict> {
  const { senderIdentity, mailsPerDay } = facts;
  const { sender, senderDomain } = settings;
  const notes =
    mailsPerDay <= sandboxMailsPerDay
      ? [
          `SES is in its sandbox (${mailsPerDay} mails a day, to verified addresses only): ask for ` +
            'production access before people subscribe',
        ]
      : [];
  if (senderDomain !== '' && !sender.endsWith(`@${senderDomain}`)) {
    return { faults: [`The sender ${sender} is not in the domain ${senderDomain}`], notes };
  }
  if (senderIdentity === 'verified') return { notes };
  if (senderDomain !== '') {
    notes.push(
      `SES sends nothing until ${senderDomain} has the DNS records of the stack's outputs`,
    );
    return { notes };
  }
  const state = senderIdentity === 'pending' ? 'is not verified yet' : 'is unknown to SES';
  return {
    faults: [
      `The sender ${sender} ${state}: verify it (or its domain) there, or give --sender-domain`,
    ],
    notes,
  };
}

function judgeMarketplaceKey(
  { marketplaceKey }: AccountFacts,
  { marketplaceUrl }: DeploymentSettings,
): Partial<Verdict> {
  switch (marketplaceKey) {
    case 'accepted':
      return {};
    case 'missing':
      return { faults: ['No marketplace key: set the variable MARKETPLACE_KEY'] };
    case 'refused':
      return { faults: [`The marketplace at ${marketplaceUrl} refuses the key`] };
    case 'unreachable':
      return { faults: [`The marketplace at ${marketplaceUrl} does not answer`] };
  }
}
