/** The rule language as the OpenAPI document shows it. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ruleSchema } from '#shared/rules/language/rule.ts';

/** Every `examples` of the schemas that are rules themselves. */
const examples = ruleSchema.def.options.flatMap((option) => option.meta()?.examples ?? []);

describe('the rule schema', () => {
  it('has an example of every kind of rule, and each is a rule', () => {
    const kinds = examples.map((example) => ruleSchema.parse(example).type);
    expect(new Set(kinds)).toEqual(
      new Set(['level', 'change', 'any_change', 'extreme', 'supply', 'fill_rate', 'listing']),
    );
  });

  it('gives a parsed example back unchanged', () => {
    for (const example of examples) expect(ruleSchema.parse(example)).toEqual(example);
  });

  it('can be written as JSON Schema, with its parts named', () => {
    const document = z.toJSONSchema(ruleSchema, { io: 'input' });
    expect(Object.keys(document.$defs ?? {}).sort()).toEqual([
      'AnyChangeRule',
      'Baseline',
      'ChangeCondition',
      'ChangeRule',
      'Condition',
      'ConditionGroup',
      'ExtremeRule',
      'FillRateCondition',
      'FillRateRule',
      'InnerCondition',
      'InnerConditionGroup',
      'KeptBaseline',
      'LevelCondition',
      'LevelRule',
      'ListingRule',
      'ListingsCondition',
      'PassingBaseline',
      'PreviousBaseline',
      'Price',
      'PriceChange',
      'Rule',
      'SingleCondition',
      'SupplyCondition',
      'SupplyRule',
      'WindowBaseline',
    ]);
  });
});
