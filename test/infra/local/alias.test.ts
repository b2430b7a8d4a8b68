// Triggers that name an alias of a function, as the stack's do, reach the function.
import { expect, it } from 'vitest';
import { FakeClock } from '../support/fake-clock.ts';
import { aFunction, temporaryFolder } from '../support/fixture-assembly.ts';
import { anHttpApi, aSchedule } from '../support/resources.ts';
import { runStack } from '../support/run-stack.ts';

const tells = `
  export async function handler(event) {
    console.log(event.rawPath ?? 'scheduled');
    return { statusCode: 200, body: 'here' };
  }`;

it('an alias leads requests and schedules to its function', async () => {
  const folder = temporaryFolder();
  const http = anHttpApi('Tells') as Record<string, { Properties: object }>;
  const Target = { Arn: { Ref: 'Live' }, Input: '{}' };
  const resources = {
    Tells: aFunction('tells'),
    Version: { Type: 'AWS::Lambda::Version', Properties: { FunctionName: { Ref: 'Tells' } } },
    Live: {
      Type: 'AWS::Lambda::Alias',
      Properties: {
        FunctionName: { Ref: 'Tells' },
        FunctionVersion: { 'Fn::GetAtt': ['Version', 'Version'] },
        Name: 'live',
      },
      UpdatePolicy: { CodeDeployLambdaAliasUpdate: { ApplicationName: { Ref: 'Application' } } },
    },
    Application: { Type: 'AWS::CodeDeploy::Application' },
    Config: {
      Type: 'AWS::Lambda::EventInvokeConfig',
      Properties: { FunctionName: { Ref: 'Tells' }, Qualifier: 'live', MaximumRetryAttempts: 0 },
    },
    ...http,
    Integration: {
      ...http.Integration,
      Properties: { ...http.Integration?.Properties, IntegrationUri: { Ref: 'Live' } },
    },
    Clock: aSchedule('Tells', { Target }),
  };
  const outputs = { Url: { Value: { 'Fn::GetAtt': ['Api', 'ApiEndpoint'] } } };
  const clock = new FakeClock('2026-11-27T10:00:00Z');
  const { stack, recorded } = await runStack(
    folder.path,
    { bundles: { tells }, resources, outputs },
    { clock },
  );
  try {
    const response = await fetch(`${stack.outputs.Url}/by-alias`);
    expect([response.status, await response.text()]).toEqual([200, 'here']);
    stack.startTriggers();
    await expect.poll(() => recorded.lines, { timeout: 10_000 }).toContain('scheduled');
    expect(recorded.lines).toContain('/by-alias');
  } finally {
    await stack.stop();
    folder.remove();
  }
});
