// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how Fn::Sub writes names
import { expect, it } from 'vitest';
import { provisioningOrder } from '#infra/local/assembly/dependencies.ts';

it('puts each resource after those that it refers to, by every way of referring', () => {
  const order = provisioningOrder({
    ByRef: { Type: 'T', Properties: { a: [{ Ref: 'Last' }] } },
    ByGetAtt: { Type: 'T', Properties: { a: { 'Fn::GetAtt': ['ByRef', 'Arn'] } } },
    BySub: { Type: 'T', Properties: { a: { 'Fn::Sub': 'x ${ByGetAtt.Arn} ${!ByDependsOn}' } } },
    ByDependsOn: { Type: 'T', DependsOn: ['BySub'] },
    Last: { Type: 'T' },
  });
  expect(order).toEqual(['Last', 'ByRef', 'ByGetAtt', 'BySub', 'ByDependsOn']);
});

it('ignores references to parameters', () => {
  expect(provisioningOrder({ A: { Type: 'T', Properties: { a: { Ref: 'Stage' } } } })).toEqual([
    'A',
  ]);
});

it('names the members of a cycle', () => {
  const resources = {
    A: { Type: 'T', Properties: { a: { Ref: 'B' } } },
    B: { Type: 'T', DependsOn: 'A' },
  };
  expect(() => provisioningOrder(resources)).toThrow('form a circle: A → B → A');
});
