// What keeps the second deployment and the second stage from harm.
import { describe, expect, it } from 'vitest';
import { aStack, every, type Resource, templateOf } from './support/templates.ts';

const dev = templateOf('dev');
const prod = templateOf('prod');

/** Logical ids without the hash at their end. */
const idOf = (logicalId: string) => logicalId.replace(/[0-9A-F]{8}$/, '');

describe('the secrets', () => {
  it('keep their generators: CloudFormation would write a new value over a secret whose generator changed', () => {
    const generators = Object.fromEntries(
      every(prod, 'AWS::SecretsManager::Secret').map(([id, { Properties }]) => [
        idOf(id),
        Properties.GenerateSecretString,
      ]),
    );
    expect(generators).toEqual({
      SecretsMarketplaceKey: {},
      SecretsAdminKey: {
        SecretStringTemplate: '{"prefix":"getin_"}',
        GenerateStringKey: 'secret',
        PasswordLength: 64,
        ExcludePunctuation: true,
      },
      SecretsLinkSecret: { PasswordLength: 64, ExcludePunctuation: true },
      SecretsOperatorWebhook: {
        SecretStringTemplate: '{"url":""}',
        GenerateStringKey: 'secret',
        PasswordLength: 44,
        ExcludePunctuation: true,
      },
      SecretsTelegramBot: {
        SecretStringTemplate: '{"token":"","username":""}',
        GenerateStringKey: 'webhookSecret',
        PasswordLength: 64,
        ExcludePunctuation: true,
      },
    });
  });
});

describe('what must not be made again', () => {
  it('keeps its construct ids: another id would be another, empty resource', () => {
    const ids = (type: string) => every(prod, type).map(([id]) => idOf(id));
    expect(ids('AWS::DynamoDB::Table')).toEqual(['TablesWatchlist', 'TablesSnapshots']);
    expect(ids('AWS::ApiGatewayV2::Api')).toEqual(['Api']);
    expect(ids('AWS::SES::EmailIdentity')).toEqual(['EmailDomain']);
    expect(ids('AWS::SNS::Topic')).toEqual(['AlarmsTopic']);
    expect(ids('AWS::SQS::Queue').filter((id) => id.endsWith('Queue'))).toEqual([
      ...['PollQueue', 'EvaluateQueue', 'SendEmailQueue', 'SendWebhookQueue'],
      ...['MailFeedbackQueue', 'JobsQueue'],
    ]);
  });
});

describe.each([
  ['dev', dev],
  ['prod', prod],
] as const)('a stack of %s', (stage, template) => {
  it('has its project and stage as tags', () => {
    expect(aStack(stage).stack.tags.tagValues()).toEqual({ project: 'getin', stage });
  });

  it('is protected from deletion in prod alone', () => {
    expect(aStack(stage).stack.terminationProtection).toBe(stage === 'prod');
  });

  it('keeps the identity of the domain, which another stack may send with', () => {
    const [[, identity]] = every(template, 'AWS::SES::EmailIdentity') as [[string, Resource]];
    expect(identity.DeletionPolicy).toBe('RetainExceptOnCreate');
  });

  it('reads only its own metrics, by the stage', () => {
    const alarms = JSON.stringify(every(template, 'AWS::CloudWatch::Alarm'));
    const dimensions = [
      ...alarms.matchAll(/"Dimensions":(\[[^\]]*\]),"MetricName":"\w+","Namespace":"Getin"/g),
    ];
    expect(dimensions.length).toBeGreaterThan(5);
    for (const [, found = ''] of dimensions) {
      expect(found).toContain(`{"Name":"stage","Value":"${stage}"}`);
    }
    const board = JSON.stringify(every(template, 'AWS::CloudWatch::Dashboard'));
    const figures = [...board.matchAll(/\\"Getin\\",(?:\\"[\w-]+\\",?){5}/g)].map(([text]) => text);
    expect(figures.length).toBeGreaterThan(5);
    expect(figures.filter((text) => !text.includes(`\\"stage\\",\\"${stage}\\"`))).toEqual([]);
  });
});

it('an own domain closes the address that AWS assigns, so that nothing passes by what stands before it', () => {
  const [[, { Properties }]] = every(prod, 'AWS::ApiGatewayV2::Api') as [[string, Resource]];
  expect(Properties).toMatchObject({
    DisableExecuteApiEndpoint: { 'Fn::If': [expect.stringMatching(/^ApiHasDomain/), true, false] },
  });
});

it('the DMARC record asks receivers to do nothing at first', () => {
  const { Outputs } = prod as unknown as { Outputs: Record<string, { Value: object }> };
  const records = Object.values(Outputs).map(({ Value }) => JSON.stringify(Value));
  expect(records.filter((text) => text.includes('_dmarc.'))).toEqual([
    expect.stringContaining('v=DMARC1; p=none'),
  ]);
});

it('the throttling alarm counts every operation that the functions may call, but for scans', () => {
  const [[, { Properties }]] = every(prod, 'AWS::CloudWatch::Alarm').filter(([id]) =>
    id.includes('WatchlistThrottled'),
  ) as [[string, Resource]];
  for (const operation of [
    'GetItem',
    'BatchGetItem',
    'Query',
    'PutItem',
    'UpdateItem',
    'DeleteItem',
  ]) {
    expect(JSON.stringify(Properties)).toContain(`"Value":"${operation}"`);
  }
});
