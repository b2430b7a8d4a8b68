import { expect, it } from 'vitest';
import { ruleSchema } from '#shared/rules/language/rule.ts';
import { syntheticWatch } from '#shared/watchlist/synthetic-watch.ts';

it('the synthetic watch has a rule as the API would take and store it', () => {
  const [{ rule } = {}] = syntheticWatch(4_711, Date.UTC(2026, 11, 1)).rules;
  expect(ruleSchema.parse(rule)).toEqual(rule);
});
