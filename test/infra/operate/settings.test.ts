import { Stack } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import {
  parametersOf,
  type SettingName,
  settingFault,
  settingNames,
  settingRows,
} from '#infra/operate/settings.ts';
import { declareParameters } from '#infra/parameters.ts';

const declared = new Map(
  Object.values(declareParameters(new Stack())).map((parameter) => [parameter.node.id, parameter]),
);

/** Parameters that no operator sets, with the reason. */
const notSettings = {
  LoopbackWebhooks: 'only the local run may post to plain http',
  ReleasePace: 'the command sets it, by --at-once',
  RestoredSnapshots: 'npm run restore sets it',
  RestoredWatchlist: 'npm run restore sets it',
  TableProtection: 'the command sets it, once the stack is there',
  Work: 'npm run restore sets it',
};

/** Texts that a person could give; some of them are refused. */
const texts = [
  ...['', 'x', 'yes', 'no', '0', '1', '29', '30', '500', '3650', '1000000000', '-1', '1.5'],
  ...['a@b.example', '<a@b.example>', 'a b@c.example', 'getin.example', 'Getin.example', 'getin'],
  ...['https://m.example', 'https://m.example/api', 'http://m.example', 'https://u:p@m.example'],
  ...['https://m.example?key=1', 'https://m.example:8443', 'A=https://a.example/{event_id}'],
  ...['A=http://a.example', 'arn:aws:acm:us-east-1:123456789012:certificate/a', 'arn:aws:s3:::a'],
];

describe.each(settingNames)('--%s', (name: SettingName) => {
  const parameter = declared.get(settingRows[name].parameter);

  it('is a parameter of the template', () => {
    expect(parameter).toBeDefined();
  });

  it('takes nothing that the template refuses', () => {
    const refused = (text: string) => {
      const { allowedPattern, allowedValues } = parameter ?? {};
      const stored = parametersOf({ [name]: text })[settingRows[name].parameter] ?? '';
      return allowedValues
        ? !allowedValues.includes(stored)
        : !new RegExp(`^(?:${allowedPattern})$`).test(stored);
    };
    const taken = texts.filter((text) => settingFault(name, text, '') === undefined);
    expect(taken.length).toBeGreaterThan(0);
    expect(taken.filter(refused)).toEqual([]);
  });

  it('says of a wrong value what is wrong, in one sentence', () => {
    expect(settingFault(name, 'no such "value"\t', `--${name}`)).toMatch(
      new RegExp(`^--${name}[ :].*[^.]\\.$`),
    );
  });
});

it('there is a flag for every parameter that an operator can set', () => {
  const set = settingNames.map((name) => settingRows[name].parameter);
  expect([...set, ...Object.keys(notSettings)].sort()).toEqual([...declared.keys()].sort());
});

it('an address is stored without the slash at its end', () => {
  expect(parametersOf({ 'marketplace-url': 'https://m.example/' })).toEqual({
    MarketplaceUrl: 'https://m.example',
  });
});
