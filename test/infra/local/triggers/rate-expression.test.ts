import { expect, it } from 'vitest';
import { parseRateMs } from '#infra/local/triggers/rate-expression.ts';

it.each([
  ['rate(1 minute)', 60_000],
  ['rate(5 minutes)', 300_000],
  ['rate(2 hours)', 7_200_000],
  ['rate(1 day)', 86_400_000],
])('reads %s', (expression, expected) => {
  expect(parseRateMs(expression)).toBe(expected);
});

it.each(['cron(0 * * * ? *)', 'at(2026-11-27T10:00:00)', 'rate(0 minutes)', 'rate(1 week)', ''])(
  'refuses %j by name',
  (expression) => {
    expect(() => parseRateMs(expression)).toThrow(JSON.stringify(expression));
  },
);
