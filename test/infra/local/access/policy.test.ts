import { describe, expect, it } from 'vitest';
import { isAllowed, policyDocumentSchema, type Statement } from '#infra/local/access/policy.ts';

const table = 'arn:aws:dynamodb:us-east-1:000000000000:table/Watchlist';

function statements(...Statement: object[]): Statement[] {
  return policyDocumentSchema.parse({ Version: '2012-10-17', Statement }).Statement;
}

function may(own: Statement[], action: string, resource: string, context = {}): boolean {
  return isAllowed(own, { action, resource, context });
}

describe('a role', () => {
  it.each([
    ['the action on the resource', { Action: 'dynamodb:GetItem', Resource: table }, true],
    ['one of several', { Action: ['dynamodb:Query', 'dynamodb:GetItem'], Resource: [table] }, true],
    ['an action in other letters', { Action: 'DynamoDB:getitem', Resource: table }, true],
    ['a wildcard of actions', { Action: 'dynamodb:*', Resource: table }, true],
    [
      'a wildcard of resources',
      { Action: 'dynamodb:GetItem', Resource: `${table.slice(0, -4)}*` },
      true,
    ],
    ['one unknown character', { Action: 'dynamodb:GetIte?', Resource: '*' }, true],
    ['another action', { Action: 'dynamodb:PutItem', Resource: table }, false],
    ['another resource', { Action: 'dynamodb:GetItem', Resource: `${table}2` }, false],
    ['an index only', { Action: 'dynamodb:GetItem', Resource: `${table}/index/due` }, false],
    [
      'a resource whose dot is no wildcard',
      { Action: 'dynamodb:GetItem', Resource: table.replace('W', '.') },
      false,
    ],
  ])('with a statement for %s', (_, statement, allowed) => {
    const own = statements({ Effect: 'Allow', ...statement });
    expect(may(own, 'dynamodb:GetItem', table)).toBe(allowed);
  });

  it('without a statement allows nothing', () => {
    expect(may([], 'dynamodb:GetItem', table)).toBe(false);
  });

  it('denies what a statement denies, even if another allows it', () => {
    const own = statements(
      { Effect: 'Allow', Action: '*', Resource: '*' },
      { Effect: 'Deny', Action: 'dynamodb:DeleteItem', Resource: table },
    );
    expect(may(own, 'dynamodb:DeleteItem', table)).toBe(false);
    expect(may(own, 'dynamodb:PutItem', table)).toBe(true);
  });

  it('compares a condition with its value', () => {
    const own = statements({
      ...{ Effect: 'Allow', Action: 'ses:SendRawEmail', Resource: '*' },
      Condition: { StringEquals: { 'ses:FromAddress': 'a@b.example' } },
    });
    expect(may(own, 'ses:SendRawEmail', '*', { 'ses:FromAddress': 'a@b.example' })).toBe(true);
    expect(may(own, 'ses:SendRawEmail', '*', { 'ses:FromAddress': 'x@b.example' })).toBe(false);
    expect(may(own, 'ses:SendRawEmail', '*')).toBe(false);
  });
});

it.each([
  ['operator', { StringLike: { 'ses:FromAddress': '*' } }],
  ['key', { StringEquals: { 'aws:SourceIp': '127.0.0.1' } }],
])('a condition with an unknown %s is refused, not ignored', (_, Condition) => {
  const statement = { Effect: 'Allow', Action: '*', Resource: '*', Condition };
  expect(() => statements(statement)).toThrow();
});
