import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { alarmKinds } from '#infra/constructs/alarms.ts';
import { projectRoot } from './support/code-access.ts';
import { every, type Resource, templateOf } from './support/templates.ts';

const template = templateOf('prod');
const alarms = every(template, 'AWS::CloudWatch::Alarm');
const readme = readFileSync(join(projectRoot, 'infra/README.md'), 'utf8');

/** The alarm kinds that have a row in the runbook. */
const [, section = ''] = readme.split('## When an alarm rings');
const [table = ''] = section.split('\n## ');
const runbook = [...table.matchAll(/^\| `([a-z-]+)` +\| /gm)].map(([, kind = '']) => kind);

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

  it('says how to treat missing data', () => {
    expect(['breaching', 'notBreaching']).toContain(Properties.TreatMissingData);
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
  const watched = alarms.map(([, { Properties }]) => JSON.stringify(Properties));

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
    ...text.matchAll(/addMetric\('(\w+)'/g),
    // The table of outcomes.
    ...text.matchAll(/: '(deliveries\w+)'/g),
  ]);
  return new Set(names.map(([, name = '']) => name));
}
