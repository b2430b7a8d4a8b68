// The random rules of the property tests use every field of the language, so that a new field without
// a generator is seen. What another suite covers instead is listed with that suite.
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  anyChangeRuleSchema,
  changeRuleSchema,
  extremeRuleSchema,
  levelRuleSchema,
  type Rule,
  supplyRuleSchema,
} from '#shared/rules/language/rule.ts';
import { windowNames } from '#shared/rules/window.ts';
import { anyRule } from '#test/support/rules/arbitraries.ts';

const schemas = {
  level: levelRuleSchema,
  change: changeRuleSchema,
  any_change: anyChangeRuleSchema,
  extreme: extremeRuleSchema,
  supply: supplyRuleSchema,
};
/** Kinds that read another feed or another metric: listing.test.ts and cases.test.ts. */
const kindsElsewhere: Rule['type'][] = ['fill_rate', 'listing'];
const fieldsElsewhere = {
  /** Needs the start of the event: decide.test.ts. */
  every: ['within_days_of_event'],
  /** Seats for a group, from the listings: listing.test.ts. */
  level: ['min_quantity'],
  change: ['min_quantity', 'rearm_amount'],
  any_change: ['min_quantity', 'rearm_percent', 'rearm_amount'],
  extreme: ['min_quantity', 'rearm_percent', 'rearm_amount'],
  /** Zones that come and go, and counts of listings: compile.test.ts and listing.test.ts. */
  supply: ['zone', 'matching', 'becomes', 'rearm_percent', 'rearm_amount'],
};

const rules = fc.sample(anyRule, { numRuns: 3_000, seed: 1 });
const kinds = Object.keys(schemas) as (keyof typeof schemas)[];

it('generates every kind of rule but those tested elsewhere', () => {
  const generated = new Set(rules.map(({ type }) => type));
  expect([...generated, ...kindsElsewhere].sort()).toEqual([
    'any_change',
    'change',
    'extreme',
    'fill_rate',
    'level',
    'listing',
    'supply',
  ]);
});

it.each(kinds)('generates every field of %s', (kind) => {
  const fields = new Set(rules.filter(({ type }) => type === kind).flatMap(Object.keys));
  const elsewhere = [...fieldsElsewhere.every, ...fieldsElsewhere[kind]];
  expect([...fields, ...elsewhere].sort()).toEqual(Object.keys(schemas[kind].shape).sort());
});

it('generates every window', () => {
  const texts = JSON.stringify(rules);
  expect(windowNames.filter((name) => !texts.includes(`"${name}"`))).toEqual([]);
});
