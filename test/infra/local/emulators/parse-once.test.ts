import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Parser, parseOnce } from '#infra/local/emulators/parse-once.ts';
import { requireFromDynalite } from '#infra/local/emulators/require-from-dynalite.ts';

const { compare } = requireFromDynalite('./db') as { compare: unknown };
const conditions = requireFromDynalite('./db/conditionParser') as Parser;
const updates = requireFromDynalite('./db/updateParser') as Parser;
const byItself = { conditions: conditions.parse, updates: updates.parse };
parseOnce();

const names = fc.constantFrom(
  '#name',
  '#status',
  'price',
  'status',
  'map.inner',
  '#none',
  'list[1]',
);
const values = fc.constantFrom(':low', ':high', ':text', ':none');
const condition = fc.letrec((tie) => ({
  comparison: fc
    .tuple(names, fc.constantFrom('=', '<>', '<', '>='), fc.oneof(names, values))
    .map((parts) => parts.join(' ')),
  call: fc.oneof(
    names.map((name) => `attribute_exists(${name})`),
    fc.tuple(names, values).map(([name, value]) => `begins_with(${name}, ${value})`),
    fc.tuple(names, values).map(([name, value]) => `size(${name}) > ${value}`),
    fc.tuple(names, values, values).map(([name, a, b]) => `${name} BETWEEN ${a} AND ${b}`),
    fc.tuple(names, values, values).map(([name, a, b]) => `${name} IN (${a}, ${b})`),
  ),
  joined: fc
    .tuple(tie('any'), fc.constantFrom(' AND ', ' OR ', ' and '), tie('any'))
    .map((parts) => parts.join('')),
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('comparison'),
    tie('call'),
    tie('joined'),
    tie('any').map((inner) => `(${inner})`),
    tie('any').map((inner) => `NOT ${inner}`),
    // Invalid expressions, too.
    tie('any').map((inner) => `${inner} ) AND`),
  ),
})).any as fc.Arbitrary<string>;
const update = fc
  .tuple(names, fc.constantFrom(':low', '#name + :low', 'if_not_exists(price, :low)'), names)
  .map(([name, value, other]) => `SET ${name} = ${value} REMOVE ${other}`);

it('parses a condition as unpatched dynalite does', () => {
  fc.assert(
    fc.property(condition, (expression) => {
      expect(outcomeOf(conditions.parse, expression)).toEqual(
        outcomeOf(byItself.conditions, expression),
      );
    }),
    { numRuns: 500 },
  );
});

it('parses an update as unpatched dynalite does', () => {
  fc.assert(
    fc.property(update, (expression) => {
      expect(outcomeOf(updates.parse, expression)).toEqual(outcomeOf(byItself.updates, expression));
    }),
  );
});

it("parses a condition of twenty nested pairs, which unpatched dynalite can't in reasonable time", () => {
  const nested = Array.from({ length: 20 }).reduce<string>(
    (inner) => `(price < :high AND ${inner})`,
    'price > :low',
  );
  expect(outcomeOf(conditions.parse, nested).result).toMatchObject({
    expression: { type: 'and', args: [{ type: '<' }, { type: 'and' }] },
  });
});

/** The parsed expression or the error, and the names and values that the parser used. */
function outcomeOf(parse: Parser['parse'], expression: string) {
  const attrNames = { '#name': 'name', '#status': 'status' };
  const attrVals = { ':low': { N: '1' }, ':high': { N: '9' }, ':text': { S: 'x' } };
  const unused = (of: object) => Object.fromEntries(Object.keys(of).map((key) => [key, true]));
  const context = {
    ...{ attrNames, attrVals, compare },
    unusedAttrNames: unused(attrNames),
    unusedAttrVals: unused(attrVals),
    isReserved: (name: string) => ['name', 'status'].includes(name.toLowerCase()),
  };
  const { unusedAttrNames, unusedAttrVals } = context;
  try {
    return { result: parse(expression, { context }), unusedAttrNames, unusedAttrVals };
  } catch (error) {
    return { result: String(error), unusedAttrNames, unusedAttrVals };
  }
}
