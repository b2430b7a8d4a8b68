import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configFor } from '#infra/config.ts';
import { alarmKinds } from '#infra/constructs/alarms.ts';
import { deliveryService } from '#shared/lambda/report-delivery.ts';
import { projectRoot } from './support/code-access.ts';
import { every, type Resource, templateOf } from './support/templates.ts';

const template = templateOf('prod');
const composites = every(template, 'AWS::CloudWatch::CompositeAlarm');
const metricAlarms = every(template, 'AWS::CloudWatch::Alarm');
/** Metric alarms that only make a composite alarm ring. */
const parts = metricAlarms.filter(([id]) =>
  composites.some(([, { Properties }]) => JSON.stringify(Properties.AlarmRule).includes(`"${id}"`)),
);
/** The alarms that notify. */
const alarms = [...metricAlarms.filter((alarm) => !parts.includes(alarm)), ...composites];
const readme = readFileSync(join(projectRoot, 'infra/README.md'), 'utf8');

/** The alarm kinds that have a row in the runbook. */
const [, section = ''] = readme.split('## When an alarm rings');
const [table = ''] = section.split('\n## ');
const runbook = [...table.matchAll(/^\| `([a-z-]+)` +\| /gm)].map(([, kind = '']) => kind);

interface MathMetric {
  Expression?: string;
  MetricStat?: { Metric: MetricReference; Period: number; Stat: string };
}

interface MetricReference {
  Namespace: string;
  MetricName: string;
  Dimensions?: { Name: string; Value: unknown }[];
}

describe.each(alarms)('alarm %s', (_, { Properties }) => {
  it('notifies the operator when it starts and when it ends', () => {
    const topic = [{ Ref: every(template, 'AWS::SNS::Topic')[0]?.[0] }];
    expect(Properties.AlarmActions).toEqual(topic);
    expect(Properties.OKActions).toEqual(topic);
  });

  it('names a line of the runbook, and says what happened', () => {
    const found = /^(.+)\. Runbook: infra\/README\.md, ([a-z-]+)$/.exec(
      String(Properties.AlarmDescription),
    );
    expect(found?.[1]?.length).toBeGreaterThan(10);
    expect(runbook).toContain(found?.[2]);
  });
});

it.each(metricAlarms)('%s says how to treat missing data', (_, { Properties }) => {
  expect(['breaching', 'notBreaching']).toContain(Properties.TreatMissingData);
});

it.each(parts)('%s notifies nobody by itself', (_, { Properties }) => {
  expect(Properties).toMatchObject({ TreatMissingData: 'notBreaching' });
  expect(Properties.AlarmActions).toBeUndefined();
  expect(Properties.OKActions).toBeUndefined();
});

describe('the service level', () => {
  /** Period in minutes, threshold in percent and expression of an alarm's part. */
  function termsOf(part: string) {
    const Properties = parts.find(([id]) => id.startsWith(`Promise${part}`))?.[1].Properties;
    const metrics = Properties?.Metrics as MathMetric[];
    const expression = metrics.find(({ Expression }) => Expression)?.Expression;
    const reads = metrics.flatMap(({ MetricStat: stat }) => (stat ? [stat] : []));
    return {
      ...{ threshold: Properties?.Threshold, expression },
      minutes: [...new Set(reads.map(({ Period }) => Period / 60))],
      statistics: reads.map(({ Stat }) => Stat).sort(),
      names: [...new Set(reads.map(({ Metric }) => Metric.MetricName))],
      services: [...new Set(reads.flatMap(({ Metric }) => Metric.Dimensions?.[0]?.Value))],
    };
  }

  it('is 99.9 % of the promised alerts within two minutes', () => {
    expect(configFor('prod').alertPromise).toEqual({ withinSeconds: 120, percent: 99.9 });
  });

  it.each([
    ['FastLong', 60, 1.44],
    ['FastShort', 5, 1.44],
    ['SlowLong', 360, 0.6],
    ['SlowShort', 30, 0.6],
  ])('%s looks at %d minutes and rings above %d percent late', (part, minutes, threshold) => {
    const terms = termsOf(part);
    expect(terms).toMatchObject({ minutes: [minutes], names: ['promisedDelayMs'] });
    expect(terms.threshold).toBeCloseTo(threshold, 6);
    expect(terms.services).toEqual([deliveryService]);
    expect(terms.statistics).toContain('PR(:120000)');
  });

  it('rings for three late alerts or more in the long window, whatever share they are', () => {
    const { expression, statistics } = termsOf('FastLong');
    expect(statistics).toEqual(['PR(:120000)', 'SampleCount']);
    expect(expression).toBe('IF(arrived * (100 - inTime) / 100 > 2.5, 100 - inTime, 0)');
  });
});

describe('the alarm of the synthetic watch', () => {
  const [, alarm] = metricAlarms.find(([id]) => id.startsWith('SyntheticSilent')) ?? [];

  it('exists where the deployment names an event, and rings when nothing arrives', () => {
    expect(alarm?.Condition).toMatch(/^SyntheticHasEvent/);
    expect(alarm?.Properties).toMatchObject({
      ...{ MetricName: 'syntheticDelivered', TreatMissingData: 'breaching' },
      ...{ ComparisonOperator: 'LessThanThreshold', Threshold: 1, Period: 25 * 60 },
    });
  });

  it('is named nowhere, because it may not exist', () => {
    const boards = JSON.stringify(every(template, 'AWS::CloudWatch::Dashboard'));
    expect(boards).not.toContain('"SyntheticSilent');
  });
});

describe('the runbook', () => {
  const rung = new Set(
    alarms.map(
      ([, { Properties }]) => /, ([a-z-]+)$/.exec(String(Properties.AlarmDescription))?.[1],
    ),
  );

  it('has one line for each kind of alarm, and each kind rings somewhere', () => {
    expect(runbook.toSorted()).toEqual([...alarmKinds].sort());
    expect([...rung].sort()).toEqual([...alarmKinds].sort());
  });
});

describe('every queue', () => {
  const watched = metricAlarms.map(([, { Properties }]) => JSON.stringify(Properties));

  it.each(every(template, 'AWS::SQS::Queue'))('%s is watched', (id) => {
    expect(watched.some((properties) => properties.includes(`["${id}","QueueName"]`))).toBe(true);
  });
});

describe('the operator', () => {
  it('is subscribed where there is an address, and CloudWatch may publish', () => {
    const [[, subscription]] = every(template, 'AWS::SNS::Subscription') as [[string, Resource]];
    expect(subscription).toMatchObject({
      Condition: expect.stringContaining('HasOperatorEmail'),
      Properties: { Protocol: 'email', Endpoint: { Ref: 'OperatorEmail' } },
    });
    const [[, policy]] = every(template, 'AWS::SNS::TopicPolicy') as [[string, Resource]];
    expect(JSON.stringify(policy.Properties)).toContain('"Service":"cloudwatch.amazonaws.com"');
    expect(JSON.stringify(policy.Properties)).toContain('"aws:SecureTransport":"false"');
  });
});

describe('a metric of the product', () => {
  const figures = new Set([...metricsIn(template)].map(({ MetricName }) => MetricName));

  it('that an alarm or the dashboard reads is written by a function', () => {
    const written = metricNamesInSources();
    expect(figures.size).toBeGreaterThan(5);
    expect([...figures].filter((name) => !written.has(name))).toEqual([]);
  });
});

/** The product's metrics in alarms, and in the dashboard's text by their namespace. */
function* metricsIn(of: typeof template): Generator<MetricReference> {
  const text = JSON.stringify(of.Resources);
  for (const [, name = ''] of text.matchAll(/\\"Getin\\",\\"(\w+)\\"/g)) {
    yield { Namespace: 'Getin', MetricName: name };
  }
  for (const [, { Properties }] of every(of, 'AWS::CloudWatch::Alarm')) {
    const { Namespace, MetricName } = Properties;
    if (Namespace === 'Getin') yield { Namespace, MetricName: String(MetricName) };
    const found = JSON.stringify(Properties).matchAll(/"MetricName":"(\w+)","Namespace":"Getin"/g);
    for (const [, name = ''] of found) yield { Namespace: 'Getin', MetricName: name };
  }
}

function metricNamesInSources(): Set<string> {
  const files = ['functions', 'shared/lambda'].flatMap((folder) =>
    readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(projectRoot, folder, name), 'utf8')),
  );
  const names = files.flatMap((text) => [
    ...text.matchAll(/addMetric\(\s*'(\w+)'/g),
    // The table of outcomes.
    ...text.matchAll(/: '(deliveries\w+)'/g),
  ]);
  return new Set(names.map(([, name = '']) => name));
}
