/**
 * Decides whether a deployment can work, from the gathered facts about the account: reports all
 * faults at once, each in one line with a remedy. Makes no calls.
 */

import type { StackConfig } from '../config.ts';
import { stackConfigSchema } from '../config.ts';

export interface DeploymentSettings {
  stage: 'dev' | 'prod';
  marketplaceUrl: string;
  sender: string;
  /** Empty: SES already has an identity for the sender. */
  senderDomain: string;
}

export interface AccountFacts {
  accountId: string;
  region: string;
  /** Whether the CDK's bootstrap stack exists, which receives the functions' code. */
  bootstrapped: boolean;
  /** State of the sender's address or domain in SES. */
  senderIdentity: 'verified' | 'pending' | 'unknown';
  /** Mails that the account may send in 24 hours. */
  mailsPerDay: number;
  /** Concurrent executions of the whole account. */
  lambdaConcurrency: number;
  /** The marketplace's answer to the key that the stack will use. */
  marketplaceKey: 'accepted' | 'refused' | 'unreachable' | 'missing';
}

export interface PreflightResult {
  /** Each prevents the deployment from working. */
  faults: string[];
  /** Each is good to know. */
  notes: string[];
}

/** Lambda always keeps this many executions unreserved. */
const unreservedConcurrency = 100;
/** SES's quota for an account in the sandbox. */
const sandboxMailsPerDay = 200;

export function judge(
  facts: AccountFacts,
  settings: DeploymentSettings,
  config: StackConfig,
): PreflightResult {
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
 * Executions that the account needs: those reserved for single functions, plus the larger of the
 * event sources' maxima and Lambda's unreserved minimum.
 */
export function concurrencyNeeded(config: StackConfig): number {
  const { api, dispatch, reconcile, ...rest } = stackConfigSchema.parse(config);
  const { poll, evaluate, sendEmail, sendWebhook, mailFeedback, jobs } = rest;
  const reserved = sum([api, dispatch, reconcile].map((one) => one.reservedConcurrency));
  const workers = [poll, evaluate, sendEmail, sendWebhook, mailFeedback, jobs];
  const shared = sum(workers.map(({ maxConcurrency }) => maxConcurrency));
  return reserved + Math.max(unreservedConcurrency, shared);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, one) => total + one, 0);
}

function judgeBootstrap({
  bootstrapped,
  accountId,
  region,
}: AccountFacts): Partial<PreflightResult> {
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
): Partial<PreflightResult> {
  const needed = concurrencyNeeded(config);
  if (lambdaConcurrency >= needed) return {};
  return {
    faults: [
      `The account can run ${lambdaConcurrency} functions at once and needs ${needed}: request more ` +
        'under Service Quotas, AWS Lambda, Concurrent executions',
    ],
  };
}

function judgeSender(facts: AccountFacts, settings: DeploymentSettings): Partial<PreflightResult> {
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
): Partial<PreflightResult> {
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
