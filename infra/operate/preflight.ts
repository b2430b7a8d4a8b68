/**
 * Decides whether a deployment can work, from the gathered facts about the account: reports all
 * faults at once, each in one line with a remedy. Makes no calls.
 */

import type { StackConfig } from '../config.ts';
import { stackConfigSchema } from '../config.ts';

export interface DeploymentSettings {
  stage: 'dev' | 'prod';
  marketplaceUrl: string;
  /** The variable that the marketplace's key is read from. */
  keyVariable: string;
  sender: string;
  /** Empty: SES already has an identity for the sender. */
  senderDomain: string;
  /** Empty: the domain that AWS assigns. */
  apiDomain: string;
  /** ARN of the certificate for `apiDomain`. */
  apiCertificate: string;
}

export interface AccountFacts {
  accountId: string;
  region: string;
  /** Whether the CDK's bootstrap stack exists, which receives the functions' code. */
  bootstrapped: boolean;
  /** State of the sender's address or domain in SES. */
  senderIdentity: 'verified' | 'pending' | 'unknown';
  /** SES has an identity of `senderDomain` that the stack did not make. */
  hasForeignDomain: boolean;
  /** Mails that the account may send in 24 hours. */
  mailsPerDay: number;
  /** SES lets the account send to verified addresses only. */
  isMailSandbox: boolean;
  /** SES, or the operator, has stopped the account's mail. */
  isMailPaused: boolean;
  /** Concurrent executions of the whole account. */
  lambdaConcurrency: number;
  /** The marketplace's answer to the key that the stack will use. */
  marketplaceKey:
    | 'accepted'
    | 'refused'
    | 'unsubscribed'
    | 'unreachable'
    | 'missing'
    | 'misshapen'
    | 'failed';
  /** Of a key of the wrong form, or a call that failed otherwise: why, without the key. */
  marketplaceReason?: string;
}

export interface PreflightResult {
  /** Each prevents the deployment from working. */
  faults: string[];
  /** Each is good to know. */
  notes: string[];
}

/** Lambda always keeps this many executions unreserved. */
const unreservedConcurrency = 100;

export function judge(
  facts: AccountFacts,
  settings: DeploymentSettings,
  config: StackConfig,
): PreflightResult {
  const verdicts = [
    judgeBootstrap(facts),
    judgeConcurrency(facts, config),
    judgeMail(facts),
    judgeSender(facts, settings),
    judgeApiDomain(facts, settings),
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
  const { api, chart, dispatch, reconcile, ...rest } = stackConfigSchema.parse(config);
  const { poll, evaluate, sendEmail, sendWebhook, mailFeedback, jobs } = rest;
  const reserved = sum([api, chart, dispatch, reconcile].map((one) => one.reservedConcurrency));
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

function judgeMail(facts: AccountFacts): Partial<PreflightResult> {
  const { isMailPaused, isMailSandbox, mailsPerDay } = facts;
  if (isMailPaused) {
    return {
      faults: [
        'SES sends no mail of this account: the console (Account dashboard) says why, and how to resume',
      ],
    };
  }
  if (!isMailSandbox) return {};
  return {
    notes: [
      `SES is in its sandbox (${mailsPerDay} mails a day, to verified addresses only): ask for ` +
        'production access before people subscribe',
    ],
  };
}

function judgeSender(facts: AccountFacts, settings: DeploymentSettings): Partial<PreflightResult> {
  const { senderIdentity, hasForeignDomain } = facts;
  const { sender, senderDomain } = settings;
  if (senderDomain !== '' && !sender.endsWith(`@${senderDomain}`)) {
    return { faults: [`The sender ${sender} is not in the domain ${senderDomain}`] };
  }
  if (hasForeignDomain) {
    return {
      faults: [
        `SES already has an identity of ${senderDomain}, which this stack did not make: set --sender-domain "" ` +
          'to send with that identity, or delete it in SES',
      ],
    };
  }
  if (senderIdentity === 'verified') return {};
  if (senderDomain !== '') {
    return {
      notes: [`SES sends nothing until ${senderDomain} has the DNS records of the stack's outputs`],
    };
  }
  const state = senderIdentity === 'pending' ? 'is not verified yet' : 'is unknown to SES';
  return {
    faults: [
      `The sender ${sender} ${state}: verify it (or its domain) there, or give --sender-domain`,
    ],
  };
}

function judgeApiDomain(
  { region }: AccountFacts,
  { apiDomain, apiCertificate }: DeploymentSettings,
): Partial<PreflightResult> {
  if ((apiDomain === '') !== (apiCertificate === '')) {
    return { faults: ['A domain for the API needs both --api-domain and --api-certificate'] };
  }
  if (apiCertificate === '' || apiCertificate.split(':')[3] === region) return {};
  return { faults: [`The certificate ${apiCertificate} is not in ${region}, where the API is`] };
}

function judgeMarketplaceKey(
  { marketplaceKey, marketplaceReason }: AccountFacts,
  { marketplaceUrl, keyVariable }: DeploymentSettings,
): Partial<PreflightResult> {
  const marketplace = `The marketplace at ${marketplaceUrl}`;
  switch (marketplaceKey) {
    case 'accepted':
      return {};
    case 'missing':
      return { faults: [`No marketplace key: set the variable ${keyVariable}`] };
    case 'misshapen':
      return { faults: [`The marketplace key has another form: ${marketplaceReason}`] };
    case 'refused':
      return { faults: [`${marketplace} refuses the key`] };
    case 'unsubscribed':
      return { faults: [`${marketplace} knows the key, but its account has no subscription`] };
    case 'unreachable':
      return { faults: [`${marketplace} does not answer`] };
    case 'failed':
      return { faults: [`${marketplace} answers, but not as it should: ${marketplaceReason}`] };
  }
}
