import { describe, expect, it } from 'vitest';
import { configFor } from '#infra/config.ts';
import {
  type AccountFacts,
  concurrencyNeeded,
  type DeploymentSettings,
  judge,
} from '#infra/operate/preflight.ts';

const ready: AccountFacts = {
  accountId: '123456789012',
  region: 'eu-west-1',
  bootstrapped: true,
  senderIdentity: 'verified',
  mailsPerDay: 50_000,
  hasForeignDomain: false,
  isMailSandbox: false,
  isMailPaused: false,
  lambdaConcurrency: 1_000,
  marketplaceKey: 'accepted',
};
const wanted: DeploymentSettings = {
  stage: 'dev',
  marketplaceUrl: 'https://market.example',
  sender: 'alerts@getin.example',
  senderDomain: '',
  keyVariable: 'MARKETPLACE_KEY',
  apiDomain: '',
  apiCertificate: '',
};
const certificate = 'arn:aws:acm:us-east-1:123456789012:certificate/a';

function verdict(facts: Partial<AccountFacts>, settings: Partial<DeploymentSettings> = {}) {
  return judge({ ...ready, ...facts }, { ...wanted, ...settings }, configFor('dev'));
}

describe('the concurrency that a stack needs', () => {
  const { dispatch, reconcile, ...dev } = configFor('dev');
  const small = { ...dev, dispatch, reconcile, api: { ...dev.api, reservedConcurrency: 10 } };

  it('is the reserved executions and the hundred that Lambda keeps unreserved', () => {
    expect(concurrencyNeeded(small)).toBe(118);
  });

  it('is the reserved executions and the maxima of the event sources, if these are larger', () => {
    const evaluate = { ...dev.evaluate, maxConcurrency: 500 };
    // 18 reserved; 4 of poll, 500, 2 of send-email, 4 of send-webhook, 2 of mail-feedback, 2 of jobs.
    expect(concurrencyNeeded({ ...small, evaluate })).toBe(538);
  });
});

describe('the preflight', () => {
  it('finds no fault in a ready account', () => {
    expect(verdict({})).toEqual({ faults: [], notes: [] });
  });

  it.each<[string, Partial<AccountFacts>, Partial<DeploymentSettings>, string]>([
    ['no bootstrap', { bootstrapped: false }, {}, 'npx cdk bootstrap aws://123456789012/eu-west-1'],
    ["a new account's concurrency", { lambdaConcurrency: 10 }, {}, 'can run 10 functions'],
    ['an unknown sender', { senderIdentity: 'unknown' }, {}, 'alerts@getin.example is unknown'],
    ['a pending sender', { senderIdentity: 'pending' }, {}, 'is not verified yet'],
    [
      'a sender of another domain',
      {},
      { senderDomain: 'b.example' },
      'not in the domain b.example',
    ],
    ['no key', { marketplaceKey: 'missing' }, {}, 'MARKETPLACE_KEY'],
    ['a refused key', { marketplaceKey: 'refused' }, {}, 'refuses the key'],
    ['a silent marketplace', { marketplaceKey: 'unreachable' }, {}, 'does not answer'],
    [
      'a key of another length',
      {
        marketplaceKey: 'misshapen',
        marketplaceReason: 'apiKey must be 64 printable characters, this one has 5',
      },
      {},
      'The marketplace key has another form: apiKey must be 64 printable characters, this one has 5',
    ],
    [
      'an account of the marketplace without a subscription',
      { marketplaceKey: 'unsubscribed' },
      {},
      'its account has no subscription',
    ],
    [
      'an answer that breaks the contract',
      { marketplaceKey: 'failed', marketplaceReason: 'GET /v1/account: plan is missing' },
      {},
      'answers, but not as it should: GET /v1/account: plan is missing',
    ],
    ['mail that SES has stopped', { isMailPaused: true }, {}, 'SES sends no mail of this account'],
    [
      "an identity of the domain that is not the stack's",
      { hasForeignDomain: true },
      { senderDomain: 'getin.example' },
      'SES already has an identity of getin.example, which this stack did not make',
    ],
    [
      'a domain for the API without a certificate',
      {},
      { apiDomain: 'api.getin.example' },
      'needs both --api-domain and --api-certificate',
    ],
    [
      'a certificate of another Region',
      {},
      { apiDomain: 'api.getin.example', apiCertificate: certificate },
      'is not in eu-west-1, where the API is',
    ],
  ])('names %s in one line', (_, facts, settings, said) => {
    const { faults } = verdict(facts, settings);
    expect(faults).toEqual([expect.stringContaining(said)]);
    expect(faults[0]).not.toContain('\n');
  });

  it('names every fault at once', () => {
    const { faults } = verdict({ bootstrapped: false, marketplaceKey: 'missing' });
    expect(faults).toHaveLength(2);
  });

  it('accepts a domain that the stack creates, and says that DNS records are needed', () => {
    const domain = { senderDomain: 'getin.example' };
    expect(verdict({ senderIdentity: 'unknown' }, domain)).toEqual({
      faults: [],
      notes: [expect.stringContaining('DNS records')],
    });
  });

  it("notes SES's sandbox, and still deploys", () => {
    expect(verdict({ isMailSandbox: true, mailsPerDay: 200 })).toEqual({
      faults: [],
      notes: [expect.stringContaining('sandbox')],
    });
  });
});
