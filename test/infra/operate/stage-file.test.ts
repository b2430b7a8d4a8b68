import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileKeyOf, settingNames } from '#infra/operate/settings.ts';
import { parseStageFile, readStageFile } from '#infra/operate/stage-file.ts';
import { projectRoot } from '../support/code-access.ts';

const file = 'infra/stages/prod.json';
const parse = (content: unknown) => parseStageFile(content, file);

describe('the example', () => {
  const example = JSON.parse(
    readFileSync(join(projectRoot, 'infra/stages/example.json'), 'utf8'),
  ) as Record<string, unknown>;

  it('has every setting, and is valid', () => {
    const keys = ['account', 'region', 'secrets', ...settingNames.map(fileKeyOf)];
    expect(Object.keys(example).sort()).toEqual(keys.sort());
    expect(parse(example)).toMatchObject({
      account: '123456789012',
      region: 'us-east-1',
      settings: {
        'daily-cap': '500',
        'buy-link': 'Vivid Seats=https://www.vividseats.com/search?searchTerm={event_name}',
      },
      secretVariables: { marketplace_key: 'MARKETPLACE_KEY' },
    });
  });
});

describe('the file of a stage', () => {
  it('gives only what it has, several links as one setting', () => {
    const two = ['A=https://a.example', 'B=https://b.example'];
    expect(parse({ monthly_cap: 9000, buy_link: two }).settings).toEqual({
      'monthly-cap': '9000',
      'buy-link': 'A=https://a.example|B=https://b.example',
    });
  });

  it('may name other variables for the secrets', () => {
    expect(parse({ secrets: { marketplace_key: 'KEY_OF_PROD' } }).secretVariables).toEqual({
      marketplace_key: 'KEY_OF_PROD',
      operator_webhook: 'OPERATOR_WEBHOOK',
      telegram_bot_token: 'TELEGRAM_BOT_TOKEN',
    });
  });

  it('need not exist', () => {
    expect(readStageFile('dev').settings).toEqual({});
  });

  it.each<[unknown, string]>([
    [[], 'must be a JSON object.'],
    [{ daily_caps: 5 }, 'there is no setting daily_caps; did you mean daily_cap?'],
    [{ daily_cap: 'many' }, 'daily_cap takes a number of pulls, not "many".'],
    [{ daily_cap: true }, 'daily_cap takes a text or a number.'],
    [{ buy_link: [1] }, 'buy_link takes a text or a number, or a list of texts.'],
    [{ buy_link: 'M=http://m.example' }, 'buy_link: link "M" must be an https address'],
    [{ account: 123456789012 }, 'account takes a text in quotes.'],
    [{ account: '12' }, 'account takes an account id of 12 digits, not "12".'],
    [{ region: 'Virginia' }, 'region takes a Region such as us-east-1, not "Virginia".'],
    [{ secrets: 'x' }, 'secrets takes an object of marketplace_key, operator_webhook'],
    [{ secrets: { market_key: 'A' } }, 'secrets has no market_key; did you mean marketplace_key?'],
  ])('with %j is refused in one line', (content, said) => {
    expect(() => parse(content)).toThrow(`${file}: ${said}`);
    expect(messageOf(content)).not.toContain('\n');
  });

  it('names every fault at once, each in a line', () => {
    expect(messageOf({ daily_cap: 'x', sender: 'y' }).split('\n')).toEqual([
      `${file}: daily_cap takes a number of pulls, not "x".`,
      `${file}: sender takes a mail address, not "y".`,
    ]);
  });

  it('that has a secret in place of a variable’s name is refused, without repeating it', () => {
    const message = messageOf({ secrets: { marketplace_key: 'k3y-0f-the-marketplace' } });
    expect(message).toContain('takes the name of an environment variable, such as MARKETPLACE_KEY');
    expect(message).not.toContain('k3y-0f');
  });

  it('that is not there or is not JSON is an error, if a flag names it', () => {
    expect(() => readStageFile('dev', '/no/such.json')).toThrow('/no/such.json cannot be read');
    expect(() => readStageFile('dev', 'README.md')).toThrow('README.md is not JSON');
  });
});

function messageOf(content: unknown): string {
  try {
    parse(content);
    return 'it is valid';
  } catch (error) {
    return (error as Error).message;
  }
}
