// A release: everything invokes an alias, which moves to a new version slowly, and can be pinned to an earlier one.
import { App, CfnParameter, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { functionNames } from '#infra/access.ts';
import { configFor } from '#infra/config.ts';
import { Alarms } from '#infra/constructs/alarms.ts';
import { ProductFunction } from '#infra/constructs/product-function.ts';
import { pinParameters } from '#infra/releases.ts';
import {
  every,
  fixtureFunctions,
  type Resource,
  targetId,
  templateOf,
} from './support/templates.ts';

const template = templateOf('prod');
const aliases = new Map(every(template, 'AWS::Lambda::Alias'));
const versions = every(template, 'AWS::Lambda::Version');

const aliasIn = (value: unknown) =>
  [...aliases.keys()].filter((id) => JSON.stringify(value).includes(`"${id}"`));

describe('every function', () => {
  it('has an alias, and a version that stays for a rollback', () => {
    expect(aliases.size).toBe(functionNames.length);
    expect(versions).toHaveLength(functionNames.length);
    for (const [, { DeletionPolicy }] of versions)
      expect(DeletionPolicy).toBe('RetainExceptOnCreate');
  });

  it('is invoked by its alias alone', () => {
    const invoking = {
      'AWS::Lambda::EventSourceMapping': 'FunctionName',
      'AWS::ApiGatewayV2::Integration': 'IntegrationUri',
      'AWS::Scheduler::Schedule': 'Target',
    };
    for (const [type, property] of Object.entries(invoking)) {
      for (const [id, { Properties }] of every(template, type)) {
        expect([id, aliasIn(Properties[property])]).toEqual([id, [expect.any(String)]]);
      }
    }
    const invoked = every(template, 'AWS::Lambda::EventInvokeConfig');
    for (const [, { Properties }] of invoked) expect(aliasIn(Properties.Qualifier)).toHaveLength(1);
  });

  it('runs its newest version, or the one that a parameter pins', () => {
    const pins = [...aliases.values()].map(({ Properties }) => {
      const [, newest, pin] = (
        Properties.FunctionVersion as { 'Fn::If': [string, object, object] }
      )['Fn::If'];
      expect(newest).toEqual({ 'Fn::GetAtt': [expect.any(String), 'Version'] });
      return (pin as { Ref: string }).Ref;
    });
    expect(pins.sort()).toEqual([...pinParameters].sort());
    expect(pins).toContain('SendEmailVersion');
  });
});

describe('the API, evaluate and the senders', () => {
  const groups = every(template, 'AWS::CodeDeploy::DeploymentGroup');

  it('move to a new version by a canary, other functions at once', () => {
    const moved = [...aliases.values()].flatMap(
      ({ UpdatePolicy }) => UpdatePolicy?.CodeDeployLambdaAliasUpdate?.DeploymentGroupName ?? [],
    );
    const named = moved.map((policy) => targetId(template, policy));
    expect(named.sort()).toEqual(groups.map(([id]) => id).sort());
    expect(groups.map(([id]) => id.replace(/[0-9A-F]{8}$/, ''))).toEqual([
      ...['CanariesApi', 'CanariesEvaluate', 'CanariesSendEmail', 'CanariesSendWebhook'],
    ]);
  });

  it.each(groups)('%s stops at the alarms of its function, and goes back', (_, { Properties }) => {
    const { AlarmConfiguration } = Properties as {
      AlarmConfiguration: { Alarms: { Name: { Ref: string } }[] };
    };
    const alarms = AlarmConfiguration.Alarms.map(({ Name }) => template.Resources[Name.Ref]);
    const kinds = alarms.map((alarm) => /, ([a-z-]+)$/.exec(descriptionOf(alarm))?.[1]);
    expect(kinds).toEqual(expect.arrayContaining(['function-failing', 'function-throttled']));
    expect(kinds.some((kind) => kind === 'dead-letters' || kind === 'api-failing')).toBe(true);
    expect(Properties.AutoRollbackConfiguration).toMatchObject({
      Enabled: true,
      Events: expect.arrayContaining(['DEPLOYMENT_STOP_ON_ALARM']),
    });
  });

  it.each(groups)('%s ignores alarms when a release goes at once', (_, { Properties }) => {
    const isAtOnce = expect.stringMatching(/^CanariesIsAtOnce/);
    expect(Properties).toMatchObject({
      AlarmConfiguration: { Enabled: { 'Fn::If': [isAtOnce, false, true] } },
      DeploymentConfigName: {
        'Fn::If': [
          isAtOnce,
          'CodeDeployDefault.LambdaAllAtOnce',
          'CodeDeployDefault.LambdaCanary10Percent15Minutes',
        ],
      },
    });
  });

  it('have canaries that last longer than a failing function needs to ring', () => {
    const failing = every(template, 'AWS::CloudWatch::Alarm').filter(([, alarm]) =>
      descriptionOf(alarm).endsWith('function-failing'),
    );
    for (const [, { Properties }] of failing) {
      const seconds = Number(Properties.Period) * Number(Properties.EvaluationPeriods);
      expect(seconds).toBeLessThan(15 * 60);
    }
  });
});

it('other settings make other versions, because a version keeps its variables', () => {
  const versionWith = (settings: string) => {
    const stack = new Stack(
      new App({ context: { 'aws:cdk:bundling-stacks': [], settings } }),
      'Test',
    );
    const config = configFor('dev');
    new ProductFunction(stack, 'Chart', {
      ...{
        name: 'chart',
        entry: `${fixtureFunctions}chart/handler.ts`,
        size: config.chart,
        config,
      },
      alarms: new Alarms(stack, 'Alarms', {
        operatorEmail: new CfnParameter(stack, 'OperatorEmail').valueAsString,
      }),
    });
    return Object.keys(Template.fromStack(stack).findResources('AWS::Lambda::Version'));
  };
  const before = versionWith('abc');
  expect(versionWith('abc')).toEqual(before);
  expect(versionWith('abd')).not.toEqual(before);
});

function descriptionOf(alarm: Resource | undefined): string {
  return String(alarm?.Properties.AlarmDescription);
}
