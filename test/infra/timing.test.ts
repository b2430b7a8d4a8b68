import { App } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { AlertingStack } from '#infra/alerting-stack.ts';
import { checkTiming } from '#infra/check-timing.ts';
import { configFor, type StackConfig } from '#infra/config.ts';
import { type BaseTiming, deriveTiming, usualTiming, visibilitySeconds } from '#shared/timing.ts';

/** The usual values except for one timeout. */
function withTimeout(name: keyof BaseTiming['timeoutSeconds'], seconds: number): BaseTiming {
  return { ...usualTiming, timeoutSeconds: { ...usualTiming.timeoutSeconds, [name]: seconds } };
}

function synthesizeWith(changes: Partial<StackConfig>): AlertingStack {
  return new AlertingStack(new App(), 'Test', { config: { ...configFor('dev'), ...changes } });
}

describe('the durations of this release', () => {
  it('are these', () => {
    expect(deriveTiming(usualTiming)).toEqual({
      ...usualTiming,
      requestLeaseMs: 15_000,
      botAnswerTimeoutMs: 3_000,
      jobLeaseMs: 90_000,
      jobReserveMs: 20_000,
      changeUnderWayMs: 60_000,
      orphanAfterMs: 900_000,
      importMs: 6_000,
      apiMarketplaceMs: 6_000,
      awsRequestTimeoutMs: 3_000,
      storingMs: 20_000,
      callMs: 60_000,
      claimLeaseMs: 300_000,
      polledWithinMs: 600_000,
      marketplaceRetries: 2,
      marketplaceWaitMs: 2_000,
      marketplaceTimeoutMs: 12_000,
      evaluationLeaseMs: 90_000,
      evaluationReserveMs: 15_000,
      evaluatedWithinMs: 120_000,
      sendLeaseMs: 90_000,
      ledgerLateMs: 300_000,
      ledgerSealMs: 900_000,
      mailRequestTimeoutMs: 8_000,
      webhookTimeoutMs: 10_000,
      dispatchEveryMs: 60_000,
      reconcileEveryMs: 300_000,
      noticeAgainMs: 600_000,
      askFactsEveryMs: 240_000,
      laggingMs: 20_000,
      catalogMs: 25_000,
    });
  });

  it('go together', () => {
    expect(() => checkTiming(usualTiming)).not.toThrow();
  });
});

describe('a timeout of 120 s', () => {
  it.each([
    ['poll', { callMs: 120_000, claimLeaseMs: 600_000, polledWithinMs: 1_200_000 }],
    ['evaluate', { evaluationLeaseMs: 180_000, evaluationReserveMs: 30_000 }],
    ['sendWebhook', { sendLeaseMs: 180_000, webhookTimeoutMs: 20_000 }],
    ['sendEmail', { sendLeaseMs: 180_000, mailRequestTimeoutMs: 38_000 }],
  ] as const)('of %s moves the leases and limits that depend on it', (name, moved) => {
    expect(deriveTiming(withTimeout(name, 120))).toMatchObject(moved);
    expect(() => checkTiming(withTimeout(name, 120))).not.toThrow();
  });

  it('moves the visibility timeout of the queue', () => {
    expect(visibilitySeconds(120, 5)).toBe(725);
  });

  it.each(['poll', 'evaluate', 'sendEmail', 'sendWebhook', 'mailFeedback', 'jobs'] as const)(
    'of %s that only the stack has fails synthesis',
    (name) => {
      const worker = { ...configFor('dev')[name], timeoutSeconds: 120 };
      expect(() => synthesizeWith({ [name]: worker })).toThrow(
        `${name}.timeoutSeconds of the stack is 120, but shared/timing.ts says`,
      );
    },
  );

  it('of the API or of dispatch is refused', () => {
    expect(() => checkTiming(withTimeout('api', 120))).toThrow(
      'The timeout of the API is 120 s, but API Gateway gives up after 30 s: set less.',
    );
    expect(() => checkTiming(withTimeout('dispatch', 120))).toThrow(
      'Dispatch may run for 120 s, but starts every 1 min: set a shorter timeout',
    );
  });
});

describe('a schedule', () => {
  it('of 15 min for reconcile moves what waits for its runs', () => {
    const timing = { ...usualTiming, reconcileEveryMinutes: 15 };
    expect(deriveTiming(timing)).toMatchObject({
      reconcileEveryMs: 900_000,
      noticeAgainMs: 1_800_000,
      askFactsEveryMs: 840_000,
    });
    expect(() => checkTiming(timing)).not.toThrow();
  });

  it.each([
    [{ reconcileEveryMinutes: 20 }, 'SQS delays a message by 15 min at most: set 15 min or less.'],
    [{ reconcileEveryMinutes: 1 }, 'set 2 min or more'],
    [{ dispatchEveryMinutes: 2 }, 'a watch may ask for news within 60 s: set 1 min.'],
  ])('of %o is refused', (changes, sentence) => {
    expect(() => checkTiming({ ...usualTiming, ...changes })).toThrow(sentence);
  });

  it('that only the stack has fails synthesis', () => {
    expect(() => synthesizeWith({ reconcileEveryMinutes: 15 })).toThrow(
      'reconcileEveryMinutes of the stack is 15, but shared/timing.ts says 5: change it there, so that leases and delays follow.',
    );
    expect(() => synthesizeWith({ pollEveryMinutes: 5 })).toThrow(
      'pollEveryMinutes of the stack is 5',
    );
  });
});

it.each([
  ['poll', 30],
  ['sendEmail', 20],
  ['reconcile', 40],
  ['mailFeedback', 5],
  ['api', 3],
] as const)('a timeout of %s of %i s is too short', (name, seconds) => {
  expect(() => checkTiming(withTimeout(name, seconds))).toThrow(/set \d+ s or more/);
});

it('a queue must keep a message until its last try', () => {
  const poll = { ...configFor('dev').poll, maxReceiveCount: 1_000 };
  expect(() => synthesizeWith({ poll })).toThrow(
    'The 1000 tries of a message of poll take 360000 s, but its queue keeps it for 4 days: set fewer tries.',
  );
});
