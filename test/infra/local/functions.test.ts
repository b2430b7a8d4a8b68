import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalStack } from '#infra/local/local-stack.ts';
import { aFunction, type TemporaryFolder, temporaryFolder } from '../support/fixture-assembly.ts';
import { type Recorded, runStack } from '../support/run-stack.ts';

const oddities = `
  let calls = 0;
  export async function handler({ act, ...rest }, context) {
    calls += 1;
    if (act === 'hang') await new Promise(() => setInterval(() => {}, 1000));
    if (act === 'exit') process.exit(7);
    if (act === 'throw') throw new RangeError('too far');
    if (act === 'crash') setTimeout(() => { throw new Error('from nowhere') }, 1);
    if (act === 'crash') await new Promise(() => {});
    if (act === 'hoard') for (const kept = [];;) kept.push(new Array(1e6).fill(calls));
    if (act === 'env') return process.env;
    if (act === 'context') return { ...context, left: context.getRemainingTimeInMillis() };
    if (act === 'say') console.log('first\\nsecond');
    return { calls, rest };
  }`;

let folder: TemporaryFolder;
let stack: LocalStack;
let recorded: Recorded;

beforeAll(async () => {
  folder = temporaryFolder();
  ({ stack, recorded } = await runStack(folder.path, {
    bundles: {
      oddities,
      slowStart:
        'await new Promise((done) => setTimeout(done, 1500)); export const handler = () => "up"',
      broken: 'throw new Error("no such module")',
      empty: 'export const a = 1',
    },
    resources: {
      Oddities: aFunction('oddities', {
        Timeout: 1,
        Environment: { Variables: { TABLE: { Ref: 'AWS::StackName' } } },
      }),
      SlowStart: aFunction('slowStart', { Timeout: 1 }),
      Broken: aFunction('broken'),
      Empty: aFunction('empty'),
    },
  }));
});
afterAll(async () => {
  await stack.stop();
  folder.remove();
});

async function errorOf(label: string, event: object): Promise<string> {
  const outcome = await stack.invoke(label, event);
  return outcome.ok ? 'no error' : `${outcome.error.errorType}: ${outcome.error.errorMessage}`;
}

describe('a function', () => {
  it("answers with its handler's result, and keeps its environment warm", async () => {
    const first = await stack.invoke('oddities', { a: 1 });
    const second = await stack.invoke('oddities', {});
    expect(first).toEqual({ ok: true, payload: { calls: 1, rest: { a: 1 } } });
    expect(second).toEqual({ ok: true, payload: { calls: 2, rest: {} } });
  });

  it("has the template's and the runtime's variables, and none of the machine's", async () => {
    const outcome = await stack.invoke('oddities', { act: 'env' });
    const environment = outcome.ok ? (outcome.payload as Record<string, string>) : {};
    expect(environment).toMatchObject({
      TABLE: 'Test',
      AWS_REGION: 'us-east-1',
      AWS_LAMBDA_FUNCTION_NAME: 'Test-Oddities',
      AWS_ENDPOINT_URL_DYNAMODB: stack.endpoints.dynamoDb,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: stack.endpoints.secretsManager,
    });
    const foreign = Object.keys(environment).filter(
      (name) => !/^(TABLE|AWS_|LAMBDA_|_HANDLER)/.test(name),
    );
    expect(foreign).toEqual([]);
  });

  it('sees a Lambda context with the time that its timeout leaves', async () => {
    const outcome = await stack.invoke('oddities', { act: 'context' });
    expect(outcome).toMatchObject({
      ok: true,
      payload: {
        functionName: 'Test-Oddities',
        memoryLimitInMB: '128',
        invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:Test-Oddities',
      },
    });
    const left = outcome.ok ? (outcome.payload as { left: number }).left : 0;
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(1000);
  });

  it.each([
    ['throws', 'throw', 'RangeError: too far'],
    ['outlives its timeout', 'hang', 'Sandbox.Timedout: Task timed out after 1.00 seconds'],
    ['exits', 'exit', 'Runtime.ExitError: Runtime exited with status 7'],
    ['crashes outside its handler', 'crash', 'Error: from nowhere'],
    ['takes more memory than it has', 'hoard', /reaching memory limit|timed out/],
  ])('that %s is a function error, and works at the next call', async (_, act, expected) => {
    expect(await errorOf('oddities', { act })).toMatch(expected);
    expect(await stack.invoke('oddities', {})).toMatchObject({ ok: true });
  });

  it('has a separate time limit for loading', async () => {
    expect(await stack.invoke('slow-start', {})).toEqual({ ok: true, payload: 'up' });
  });

  it('whose bundle throws or exports no handler is a function error', async () => {
    expect(await errorOf('broken', {})).toBe('Error: no such module');
    expect(await errorOf('empty', {})).toMatch(/exports no function handler/);
    expect(recorded.failures).toContain('broken: no such module');
  });

  it('logs its lines one by one', async () => {
    await stack.invoke('oddities', { act: 'say' });
    await expect.poll(() => recorded.lines).toEqual(['first', 'second']);
  });
});
