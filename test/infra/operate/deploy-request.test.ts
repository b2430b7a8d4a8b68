import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { OperatorError } from '#infra/operate/command.ts';
import { type DeployRequest, readDeployRequest } from '#infra/operate/deploy-request.ts';
import { pinRegion } from '#infra/operate/place.ts';
import { temporaryFolder } from '../support/fixture-assembly.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

function request(args: string[], environment: Record<string, string> = {}): DeployRequest {
  const read = readDeployRequest(args, environment);
  if (read === 'help') throw new Error('help was asked for');
  return read;
}

function faultOf(args: string[]): Error {
  try {
    request(args);
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('nothing was refused');
}

function stageFile(content: object): string {
  const path = join(folder.path, 'stage.json');
  rmSync(path, { force: true });
  writeFileSync(path, JSON.stringify(content));
  return path;
}

describe('npm run deploy', () => {
  it('gives no parameter that was not given', () => {
    expect(request([]).parameters).toEqual({});
    expect(request(['--daily-cap', '7']).parameters).toEqual({ DailyPullCap: '7' });
  });

  it('gives an empty value, which clears a setting', () => {
    const args = ['--operator-email', '', '--buy-link', '', '--sender-domain', ''];
    expect(request(args).parameters).toEqual({
      OperatorEmail: '',
      BuyLinkTemplates: '',
      SenderDomain: '',
    });
  });

  it('takes the stage’s file, and a flag before it', () => {
    const file = stageFile({ daily_cap: 1, monthly_cap: 2, account: '123456789012' });
    const { parameters, pin } = request(['--settings', file, '--daily-cap', '3']);
    expect(parameters).toEqual({ DailyPullCap: '3', MonthlyPullCap: '2' });
    expect(pin).toEqual({ stage: 'dev', account: '123456789012', region: undefined });
  });

  it('reads secrets from the variables that the file names', () => {
    const file = stageFile({ secrets: { marketplace_key: 'KEY_OF_PROD' } });
    const environment = { KEY_OF_PROD: 'k', MARKETPLACE_KEY: 'other', OPERATOR_WEBHOOK: '' };
    expect(request(['--settings', file], environment)).toMatchObject({
      marketplaceKey: 'k',
      operatorWebhook: '',
      keyVariable: 'KEY_OF_PROD',
    });
  });

  it.each([
    [['--marketplace-url', ''], '--marketplace-url takes an https address'],
    [['--account', '12'], '--account takes an account id of 12 digits, not "12".'],
    [['--marketplace-url', 'http://m.example'], 'fragment, not "http://'],
    [
      ['--marketplace-url', 'https://u:p@m.example'],
      'takes an https address without user name, query or fragment',
    ],
    [['--sender', '<a@b.example>'], '--sender takes a mail address, not "<a@b.example>".'],
    [['--sender', 'b'], '--sender takes a mail address, not "b".'],
    [['--stage', 'test'], '--stage takes dev or prod, not "test".'],
    [['--daily-cap', 'x'], '--daily-cap takes a number of pulls, not "x".'],
    [['--buy-link', 'M=http://m.example'], '--buy-link: link "M" must be an https address'],
  ])('says what is wrong with %j in one line', (args, said) => {
    const fault = faultOf(args);
    expect(fault).toBeInstanceOf(OperatorError);
    expect(fault.message).toContain(said);
    expect(fault.message).not.toContain('\n');
  });

  it('refuses a setting that is given twice, but for links', () => {
    expect(() => request(['--sender', 'a@b.example', '--sender', 'c@d.example'])).toThrow(
      '--sender is given 2 times; give it once.',
    );
    const links = ['--buy-link', 'A=https://a.example', '--buy-link', 'B=https://b.example'];
    expect(request(links).parameters).toEqual({
      BuyLinkTemplates: 'A=https://a.example|B=https://b.example',
    });
  });
});

describe('the Region of a stage', () => {
  const pin = { stage: 'prod', region: 'eu-west-1' } as const;

  it('is set where the environment has none', () => {
    const environment: NodeJS.ProcessEnv = { AWS_REGION: '' };
    pinRegion(pin, environment);
    expect(environment.AWS_REGION).toBe('eu-west-1');
  });

  it('is refused where the environment has another one', () => {
    expect(() => pinRegion(pin, { AWS_DEFAULT_REGION: 'us-east-1' })).toThrow(
      'Stage prod belongs in eu-west-1, but AWS_DEFAULT_REGION is us-east-1',
    );
  });
});
