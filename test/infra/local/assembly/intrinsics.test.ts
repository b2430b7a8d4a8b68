// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how Fn::Sub writes names
import { describe, expect, it } from 'vitest';
import type { Template } from '#infra/local/assembly/cloud-assembly.ts';
import { createResolver } from '#infra/local/assembly/intrinsics.ts';
import { LocalRunError } from '#infra/local/errors.ts';

const template: Template = {
  Resources: {},
  Parameters: {},
  Mappings: { Sizes: { prod: { memory: 1024 } } },
  Conditions: {
    IsProd: { 'Fn::Equals': [{ Ref: 'Stage' }, 'prod'] },
    IsDev: { 'Fn::Not': [{ Condition: 'IsProd' }] },
    Both: { 'Fn::And': [{ Condition: 'IsProd' }, { 'Fn::Equals': ['a', 'a'] }] },
    Neither: { 'Fn::Or': [{ Condition: 'IsDev' }, { 'Fn::Equals': ['a', 'b'] }] },
  },
  Outputs: {},
};

const resolver = createResolver({
  template,
  parameters: { Stage: 'prod', List: 'a,b' },
  pseudoParameters: { 'AWS::Region': 'us-east-1', 'AWS::StackName': 'Getin' },
  references: {
    ref: (logicalId) => `${logicalId}-name`,
    attribute: (logicalId, attribute) => `${logicalId}/${attribute}`,
  },
});

describe('intrinsics', () => {
  it.each([
    ['a parameter', { Ref: 'Stage' }, 'prod'],
    ['a pseudo parameter', { Ref: 'AWS::Region' }, 'us-east-1'],
    ['a resource', { Ref: 'Queue' }, 'Queue-name'],
    ['an attribute', { 'Fn::GetAtt': ['Queue', 'Arn'] }, 'Queue/Arn'],
    ['an attribute as text', { 'Fn::GetAtt': 'Queue.Arn' }, 'Queue/Arn'],
    ['a nested attribute', { 'Fn::GetAtt': ['Api', 'Endpoint.Url'] }, 'Api/Endpoint.Url'],
    [
      'a text with names',
      { 'Fn::Sub': '${Stage}/${Queue}/${Queue.Arn}/${AWS::Region}' },
      'prod/Queue-name/Queue/Arn/us-east-1',
    ],
    [
      'a text with its own names',
      { 'Fn::Sub': ['${Own}-${Stage}', { Own: { Ref: 'Queue' } }] },
      'Queue-name-prod',
    ],
    ['a text with a literal', { 'Fn::Sub': '${!Kept} ${Stage}' }, '${Kept} prod'],
    ['a join', { 'Fn::Join': [':', ['a', { Ref: 'Stage' }, 7]] }, 'a:prod:7'],
    ['a join of a split', { 'Fn::Join': ['-', { 'Fn::Split': [',', { Ref: 'List' }] }] }, 'a-b'],
    ['a selection', { 'Fn::Select': [1, { 'Fn::Split': [',', 'x,y,z'] }] }, 'y'],
    ['a selection by text', { 'Fn::Select': ['0', ['x', 'y']] }, 'x'],
    ['a mapping', { 'Fn::FindInMap': ['Sizes', { Ref: 'Stage' }, 'memory'] }, 1024],
    ['base64', { 'Fn::Base64': { Ref: 'Stage' } }, 'cHJvZA=='],
    ['a choice that is true', { 'Fn::If': ['IsProd', 'yes', 'no'] }, 'yes'],
    ['a choice that is false', { 'Fn::If': ['IsDev', 'yes', { Ref: 'Stage' }] }, 'prod'],
    ['a list', [{ Ref: 'Stage' }, 2], ['prod', 2]],
    ['an object', { A: { B: { Ref: 'Stage' } } }, { A: { B: 'prod' } }],
    ['an object with a key Ref beside others', { Ref: 'Stage', B: 1 }, { Ref: 'Stage', B: 1 }],
  ])('resolves %s', (_, given, expected) => {
    expect(resolver.resolve(given)).toEqual(expected);
  });

  it('drops values set to AWS::NoValue, in objects and lists', () => {
    const nothing = { Ref: 'AWS::NoValue' };
    const given = {
      kept: 1,
      gone: nothing,
      list: [nothing, 2],
      chosen: { 'Fn::If': ['IsDev', 3, nothing] },
    };
    expect(resolver.resolve(given)).toEqual({ kept: 1, list: [2] });
  });

  it.each([
    ['IsProd', true],
    ['IsDev', false],
    ['Both', true],
    ['Neither', false],
  ])('finds condition %s to be %s', (name, expected) => {
    expect(resolver.condition(name)).toBe(expected);
  });

  it.each([
    ['an import', { 'Fn::ImportValue': 'x' }, /Fn::ImportValue takes a value from another stack/],
    ['an unknown function', { 'Fn::Cidr': [] }, /does not know Fn::Cidr/],
    ['a selection past the end', { 'Fn::Select': [2, ['x']] }, /item 2 of a list of 1/],
    [
      'a mapping without the key',
      { 'Fn::FindInMap': ['Sizes', 'dev', 'memory'] },
      /Sizes.dev.memory/,
    ],
    ['an unknown condition', { 'Fn::If': ['Nope', 1, 2] }, /no condition Nope/],
    ['a join of an object', { 'Fn::Join': [',', [{ a: 1 }]] }, /Fn::Join needs a text/],
    ['a join of no list', { 'Fn::Join': 'x' }, /Fn::Join needs a list/],
  ])('refuses %s', (_, given, message) => {
    expect(() => resolver.resolve(given)).toThrow(LocalRunError);
    expect(() => resolver.resolve(given)).toThrow(message);
  });
});
