import { describe, expect, it } from 'vitest';
import { configFor } from '#infra/config.ts';
import {
  every as everyOf,
  functionsOf,
  type Resource,
  statementsOf,
  targetId,
  templateOf,
} from './support/templates.ts';

const template = templateOf('dev');
const every = (type: string, of = template) => everyOf(of, type);

/** Follows `Ref` and `Fn::GetAtt` to the resource's properties, and an alias to its function's. */
function target(reference: unknown): Record<string, unknown> {
  const found = template.Resources[targetId(template, reference)];
  if (!found) throw new Error(`${JSON.stringify(reference)} leads nowhere.`);
  return found.Properties;
}

const mappings = every('AWS::Lambda::EventSourceMapping');
const deadLetterIds = new Set(
  every('AWS::SQS::Queue')
    .map(([, { Properties }]) => Properties.RedrivePolicy as { deadLetterTargetArn: object })
    .filter((policy) => policy !== undefined)
    .map((policy) => (policy.deadLetterTargetArn as { 'Fn::GetAtt': string[] })['Fn::GetAtt'][0]),
);

describe.each(mappings)('event source %s', (_, { Properties }) => {
  const queue = target(Properties.EventSourceArn);
  const lambda = target(Properties.FunctionName);

  it('has a queue that stays invisible for six timeouts and the window', () => {
    const window = (Properties.MaximumBatchingWindowInSeconds as number) ?? 0;
    expect(queue.VisibilityTimeout).toBeGreaterThanOrEqual((lambda.Timeout as number) * 6 + window);
  });

  it('reports each failed message, and bounds its concurrency', () => {
    expect(Properties.FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
    const { MaximumConcurrency } = Properties.ScalingConfig as { MaximumConcurrency: number };
    expect(MaximumConcurrency).toBeGreaterThanOrEqual(2);
    const reserved = lambda.ReservedConcurrentExecutions ?? Number.POSITIVE_INFINITY;
    expect(reserved).toBeGreaterThanOrEqual(MaximumConcurrency);
  });

  it('dead-letters after five receives at the least', () => {
    const { maxReceiveCount } = queue.RedrivePolicy as { maxReceiveCount: number };
    expect(maxReceiveCount).toBeGreaterThanOrEqual(5);
  });
});

describe.each(every('AWS::SQS::Queue'))('queue %s', (logicalId, { Properties }) => {
  it('is encrypted and takes TLS only', () => {
    expect(Properties.SqsManagedSseEnabled).toBe(true);
    const policies = every('AWS::SQS::QueuePolicy').filter(([, policy]) =>
      JSON.stringify(policy.Properties.Queues).includes(`"${logicalId}"`),
    );
    expect(JSON.stringify(policies)).toContain('"aws:SecureTransport":"false"');
  });

  it('has dead letters, or keeps them for 14 days', () => {
    const keepsDeadLetters =
      deadLetterIds.has(logicalId) || Properties.MessageRetentionPeriod === 1_209_600;
    if (keepsDeadLetters) expect(Properties.MessageRetentionPeriod).toBe(1_209_600);
    else
      expect(
        target((Properties.RedrivePolicy as { deadLetterTargetArn: object }).deadLetterTargetArn),
      ).toBeDefined();
  });
});

describe.each(every('AWS::Lambda::Function'))('function %s', (logicalId, { Properties }) => {
  it('runs Node 24 on arm64, traced', () => {
    expect(Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      TracingConfig: { Mode: 'Active' },
    });
  });

  it('logs JSON to its own group, which has a retention', () => {
    const { LogFormat, LogGroup } = Properties.LoggingConfig as Record<string, unknown>;
    expect(LogFormat).toBe('JSON');
    expect(target(LogGroup).RetentionInDays).toBe(7);
  });

  it("has a concurrency limit, its own or its event source's", () => {
    const fed = mappings.some(
      ([, mapping]) => targetId(template, mapping.Properties.FunctionName) === logicalId,
    );
    expect(fed || Properties.ReservedConcurrentExecutions).toBeTruthy();
  });

  it('names its log service and its metrics namespace', () => {
    const { Variables } = Properties.Environment as { Variables: Record<string, unknown> };
    expect(Variables).toMatchObject({
      POWERTOOLS_SERVICE_NAME: expect.stringMatching(/^getin-[a-z-]+$/),
      POWERTOOLS_METRICS_NAMESPACE: 'Getin',
      STAGE: 'dev',
      NODE_OPTIONS: '--enable-source-maps',
    });
  });
});

describe.each(every('AWS::DynamoDB::Table'))('table %s', (_, table) => {
  it('is on demand, has point-in-time recovery and a TTL', () => {
    expect(table.Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      TimeToLiveSpecification: { AttributeName: 'expiresAtEpochSeconds', Enabled: true },
    });
  });

  it('is deleted with a dev stack', () => {
    expect(table.DeletionPolicy).toBe('Delete');
  });
});

describe('a prod stack', () => {
  const prod = templateOf('prod');

  it.each(every('AWS::DynamoDB::Table', prod))('keeps table %s when it is deleted', (_, table) => {
    expect(table.UpdateReplacePolicy).toBe('Retain');
    expect(table.Properties.DeletionProtectionEnabled).toEqual({
      'Fn::If': [expect.stringMatching(/^TablesIsProtected/), true, false],
    });
  });

  it.each(
    ['AWS::DynamoDB::Table', 'AWS::SecretsManager::Secret', 'AWS::Logs::LogGroup'].flatMap((type) =>
      every(type, prod),
    ),
  )('keeps %s, unless the deployment that made it failed', (_, { DeletionPolicy }) => {
    expect(DeletionPolicy).toBe('RetainExceptOnCreate');
  });
});

describe.each(every('AWS::Scheduler::Schedule'))('schedule %s', (_, { Properties }) => {
  const { Target } = Properties as { Target: Record<string, Record<string, unknown>> };

  it('gives up on a firing within one slot, to a dead-letter queue', () => {
    const minutes = Number(/rate\((\d+) minute/.exec(String(Properties.ScheduleExpression))?.[1]);
    expect(Target.RetryPolicy?.MaximumEventAgeInSeconds).toBe(minutes * 60);
    expect(target(Target.DeadLetterConfig?.Arn)).toBeDefined();
  });

  it('has a function that sends events older than one slot to a dead-letter queue', () => {
    const config = every('AWS::Lambda::EventInvokeConfig').find(
      ([, { Properties: invoke }]) => target(invoke.FunctionName) === target(Target.Arn),
    );
    expect(config?.[1].Properties).toMatchObject({
      MaximumRetryAttempts: 0,
      DestinationConfig: { OnFailure: { Destination: expect.anything() } },
    });
  });
});

describe('the HTTP API', () => {
  const [[, stage]] = every('AWS::ApiGatewayV2::Stage') as [[string, Resource]];
  const integrations = every('AWS::ApiGatewayV2::Integration');

  it('is throttled and logs each access to a group with a retention', () => {
    expect(stage.Properties.DefaultRouteSettings).toEqual({
      ThrottlingRateLimit: 20,
      ThrottlingBurstLimit: 40,
    });
    const { DestinationArn } = stage.Properties.AccessLogSettings as { DestinationArn: unknown };
    expect(target(DestinationArn).RetentionInDays).toBe(7);
  });

  it('logs neither keys nor bodies', () => {
    const { Format } = stage.Properties.AccessLogSettings as { Format: string };
    expect(Format).not.toMatch(/authorization|querystring|body/i);
  });

  it.each(integrations)('answers within its integration limit of 30 s (%s)', (_, integration) => {
    expect(target(integration.Properties.IntegrationUri).Timeout).toBeLessThan(30);
  });

  it('gives pictures and the desk to functions of their own, links and all else to the API', () => {
    const routes = every('AWS::ApiGatewayV2::Route').map(([, { Properties }]) => {
      const [, id] = (Properties.Target as { 'Fn::Join': [string, [string, { Ref: string }]] })[
        'Fn::Join'
      ][1];
      const integration = target(id) as { IntegrationUri: unknown };
      const { Variables } = target(integration.IntegrationUri).Environment as {
        Variables: Record<string, string>;
      };
      return [Properties.RouteKey, Variables.POWERTOOLS_SERVICE_NAME];
    });
    expect(routes.sort()).toEqual([
      ['$default', 'getin-api'],
      ['GET /', 'getin-console'],
      ['GET /c/{token}', 'getin-chart'],
      ['GET /console/{proxy+}', 'getin-console'],
      ['GET /l/{token}', 'getin-api'],
      ['GET /p/{token}/{view}', 'getin-api'],
      ['HEAD /', 'getin-console'],
      ['HEAD /c/{token}', 'getin-chart'],
      ['HEAD /console/{proxy+}', 'getin-console'],
      ['HEAD /l/{token}', 'getin-api'],
      ['HEAD /p/{token}/{view}', 'getin-api'],
      ['POST /l/{token}', 'getin-api'],
      ['POST /p/{token}/{view}', 'getin-api'],
    ]);
  });

  it('logs no path, because paths hold the tokens of links', () => {
    expect(JSON.stringify(stage.Properties.AccessLogSettings)).not.toMatch(/context\.path/);
  });

  it('throttles links, pictures and the desk by themselves, once their routes are there', () => {
    const ofLinks = { ThrottlingRateLimit: 10, ThrottlingBurstLimit: 20 };
    const ofPictures = { ThrottlingRateLimit: 20, ThrottlingBurstLimit: 40 };
    const ofDesk = { ThrottlingRateLimit: 20, ThrottlingBurstLimit: 60 };
    expect(stage.Properties.RouteSettings).toEqual({
      ...{ 'GET /l/{token}': ofLinks, 'HEAD /l/{token}': ofLinks, 'POST /l/{token}': ofLinks },
      'GET /p/{token}/{view}': ofLinks,
      ...{ 'HEAD /p/{token}/{view}': ofLinks, 'POST /p/{token}/{view}': ofLinks },
      ...{ 'GET /c/{token}': ofPictures, 'HEAD /c/{token}': ofPictures },
      ...{ 'GET /': ofDesk, 'HEAD /': ofDesk },
      ...{ 'GET /console/{proxy+}': ofDesk, 'HEAD /console/{proxy+}': ofDesk },
    });
    const ownRoutes = every('AWS::ApiGatewayV2::Route')
      .filter(([, { Properties }]) => Properties.RouteKey !== '$default')
      .map(([logicalId]) => logicalId);
    expect(stage.DependsOn).toEqual(expect.arrayContaining(ownRoutes));
  });
});

describe('what functions may do', () => {
  const byFunction = [...functionsOf(template)].map(
    ([name, { lambda }]) => [name, statementsOf(template, lambda)] as const,
  );
  const statements = byFunction.flatMap(([, own]) => own);
  const holders = (action: string): string[] =>
    byFunction
      .filter(([, own]) => own.some(({ Action }) => [Action].flat().includes(action)))
      .map(([name]) => name);

  it('names every action, without wildcards', () => {
    const wild = statements.filter(({ Action }) => JSON.stringify(Action).includes('*'));
    expect(wild).toEqual([]);
  });

  it('names every resource, but for tracing, the mail quota and the identities of recipients', () => {
    const wild = statements.filter(({ Resource }) => JSON.stringify(Resource).includes('*'));
    const mail = statements.filter(({ Action }) => Action === 'ses:SendRawEmail');
    expect(JSON.stringify(mail).match(/[^"]*\*/g)).toEqual([':identity/*']);
    const actions = new Set(wild.flatMap(({ Action }) => Action));
    expect(actions).toEqual(
      new Set([
        ...['xray:PutTraceSegments', 'xray:PutTelemetryRecords'],
        ...['ses:GetSendQuota', 'ses:SendRawEmail'],
      ]),
    );
  });

  it('lets only send-email send mail, and only as the sender', () => {
    expect(holders('ses:SendRawEmail')).toEqual(['send-email']);
    const mail = statements.find(({ Action }) => Action === 'ses:SendRawEmail');
    expect(mail?.Condition).toEqual({
      StringEquals: { 'ses:FromAddress': { Ref: 'EmailSender' } },
    });
  });

  it('lets only functions that call the marketplace, check API keys or links, or send as the bot read secrets', () => {
    expect(new Set(holders('secretsmanager:GetSecretValue'))).toEqual(
      new Set(['api', 'chart', 'jobs', 'poll', 'reconcile', 'send-webhook']),
    );
  });
});

it('lets the functions that send to their own queue do so in a chain, and no other', () => {
  const chained = [...functionsOf(template)].filter(
    ([, { lambda }]) => lambda.Properties.RecursiveLoop === 'Allow',
  );
  expect(chained.map(([name]) => name).sort()).toEqual([
    ...['evaluate', 'jobs', 'send-email', 'send-webhook'],
  ]);
});

describe('a stage', () => {
  it('that is unknown is refused, and the error lists the known ones', () => {
    expect(() => configFor('staging')).toThrow(
      'Unknown stage "staging": give -c stage=dev or -c stage=prod.',
    );
  });

  it('is dev by default', () => {
    expect(configFor(undefined).stage).toBe('dev');
  });
});
