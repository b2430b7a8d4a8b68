// Random requests of every kind that the product sends, over few keys and names, so that they meet.
import {
  BatchGetCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';

export const TableName = 'Watchlist';
/** An expression with the names and values that stand behind its placeholders. */
interface Expression {
  text: string;
  names: Record<string, string>;
  values: Record<string, unknown>;
}

const pks = ['A', 'b', '\u{1f39f}', '\uffee'];
const sks = ['1', '10', '2', 'é'];
const key = fc.record({ pk: fc.constantFrom(...pks), sk: fc.constantFrom(...sks) });
/** Not `constructor` and the like, which dynalite takes from prototypes. */
const names = ['a', 'b', 'list', 'map'];
const indexed = fc.record({
  dueShard: fc.constantFrom('s#1', 's#2'),
  nextPollAt: fc.constantFrom(0, 1, 2, 10),
});
const leaf = fc.oneof(
  fc.constantFrom('', 'x', 'xy', 'z\u{1f39f}', 's#1'),
  fc.constantFrom(0, 1, -2, 0.1, 0.2, 10, 1e-140),
  fc.constantFrom(true, false, null),
  fc.constant(new Set(['x', 'y'])),
);
const value = fc.oneof(
  { weight: 5, arbitrary: leaf },
  fc.array(leaf, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('a', 'b', 'deep'), leaf, { maxKeys: 2 }),
);
const item = fc
  .tuple(
    key,
    fc.option(indexed),
    fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 5 }),
  )
  .map(([own, place, attributes]) => ({ ...Object.fromEntries(attributes), ...place, ...own }));

/** Text with placeholders; `$` marks the place of the next name, `?` that of the next value. */
function expressionOf(
  template: string,
  named: readonly string[],
  given: readonly unknown[],
  tag: string,
): Expression {
  const [ownNames, ownValues] = [[...named], [...given]];
  const [known, values]: [Record<string, string>, Record<string, unknown>] = [{}, {}];
  const text = template.replace(/[$?]/g, (mark) => {
    const isName = mark === '$';
    const placeholder = `${isName ? '#' : ':'}${tag}${Object.keys(isName ? known : values).length}`;
    if (isName) known[placeholder] = String(ownNames.shift());
    else values[placeholder] = ownValues.shift();
    return placeholder;
  });
  return { text, names: known, values };
}

function joined(parts: readonly Expression[], between: string): Expression {
  return {
    text: parts.map(({ text }) => text).join(between),
    names: Object.assign({}, ...parts.map((part) => part.names)),
    values: Object.assign({}, ...parts.map((part) => part.values)),
  };
}

const name = fc.constantFrom(...names);
const text = fc.constantFrom('', 'x', 'xy', 's#1');
const number = fc.constantFrom(0, 1, -2, 0.1, 0.2, 10);
const scalar = fc.oneof(text, number);
const type = fc.constantFrom('S', 'N', 'M', 'L', 'BOOL', 'NULL', 'SS');

/** Forms of conditions and updates, with the values that DynamoDB takes there. */
const conditionForms = [
  fc.tuple(
    fc.constantFrom(
      ...['attribute_exists($)', 'attribute_not_exists($)', 'NOT attribute_exists($.deep)'],
      'attribute_not_exists($.$)',
    ),
    fc.constant([]),
  ),
  fc.tuple(
    fc.constantFrom(
      '$ = ?',
      '$ <> ?',
      '$ IN (?, ?)',
      '$.deep = ?',
      '$[0] = ?',
      '($ = ? OR NOT ($ = ?))',
    ),
    fc.tuple(scalar, scalar),
  ),
  fc.tuple(fc.constantFrom('$ < ?', '$ <= ?', '$ > ?', '$ >= ?'), fc.tuple(scalar)),
  fc.tuple(
    fc.constant('$ BETWEEN ? AND ?'),
    fc.tuple(number, number).map((both) => both.toSorted((x, y) => x - y)),
  ),
  fc.tuple(fc.constant('begins_with($, ?)'), fc.tuple(text)),
  fc.tuple(fc.constant('contains($, ?)'), fc.tuple(scalar)),
  fc.tuple(fc.constant('attribute_type($, ?)'), fc.tuple(type)),
  fc.tuple(fc.constant('size($) > ?'), fc.tuple(fc.constantFrom(0, 1, 2))),
];
const updateForms = [
  fc.tuple(
    fc.constantFrom(
      'SET $ = ?',
      'SET $.deep = ?',
      'SET $ = if_not_exists($, ?)',
      'SET $[1] = ?',
      'SET $ = ?, $ = ?',
    ),
    fc.tuple(value, value),
  ),
  fc.tuple(fc.constantFrom('SET $ = $ + ?', 'SET $ = ? - $', 'ADD $ ?'), fc.tuple(number)),
  fc.tuple(fc.constant('SET $ = list_append($, ?)'), fc.tuple(fc.array(leaf, { maxLength: 2 }))),
  fc.tuple(fc.constantFrom('REMOVE $', 'REMOVE $[0]', 'REMOVE $.deep, $'), fc.constant([])),
  fc.tuple(fc.constantFrom('ADD $ ?', 'DELETE $ ?'), fc.tuple(fc.constant(new Set(['x', 'z'])))),
];

function oneOf(forms: readonly fc.Arbitrary<[string, readonly unknown[]]>[], tag: string) {
  return fc
    .tuple(fc.oneof(...forms), fc.tuple(name, name))
    .map(([[template, given], named]) => expressionOf(template, named, given, tag));
}

const condition = fc.oneof(
  oneOf(conditionForms, 'c'),
  fc
    .tuple(oneOf(conditionForms, 'c'), oneOf(conditionForms, 'd'), fc.constantFrom(' AND ', ' OR '))
    .map(([left, right, between]) => joined([left, right], between)),
);
/** What moves an item in its index, or out of it. */
const move = fc.oneof(
  indexed.map(({ dueShard, nextPollAt }) =>
    expressionOf('SET $ = ?, $ = ?', ['dueShard', 'nextPollAt'], [dueShard, nextPollAt], 'm'),
  ),
  fc
    .constantFrom('dueShard', 'nextPollAt')
    .map((each) => expressionOf('REMOVE $', [each], [], 'm')),
);
const update = fc.oneof(
  move,
  oneOf(updateForms, 'u'),
  fc
    .tuple(oneOf(updateForms, 'u'), oneOf(updateForms, 'w'))
    // An expression has each section once.
    .map(([one, other]) =>
      one.text.slice(0, 3) === other.text.slice(0, 3) ? one : joined([one, other], ' '),
    ),
);

export type Command = { input: object };
const returned = fc.constantFrom('NONE', 'ALL_OLD');

function attributesOf({ names: named, values }: Expression) {
  return {
    ...(Object.keys(named).length > 0 && { ExpressionAttributeNames: named }),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
}

const write: fc.Arbitrary<Command> = fc.oneof(
  { weight: 2, arbitrary: item.map((Item) => new PutCommand({ TableName, Item })) },
  fc.tuple(item, condition, returned).map(
    ([Item, asked, ReturnValues]) =>
      new PutCommand({
        ...{ TableName, Item, ReturnValues, ConditionExpression: asked.text },
        ...attributesOf(asked),
      }),
  ),
  {
    weight: 3,
    arbitrary: fc
      .tuple(key, update, fc.option(condition), fc.constantFrom('ALL_NEW', 'ALL_OLD', 'NONE'))
      .map(
        ([Key, change, asked, ReturnValues]) =>
          new UpdateCommand({
            ...{ TableName, Key, ReturnValues, UpdateExpression: change.text },
            ...(asked && { ConditionExpression: asked.text }),
            ...attributesOf(joined(asked ? [change, asked] : [change], '')),
          }),
      ),
  },
  fc.tuple(key, condition, returned).map(
    ([Key, asked, ReturnValues]) =>
      new DeleteCommand({
        ...{ TableName, Key, ReturnValues, ConditionExpression: asked.text },
        ...attributesOf(asked),
      }),
  ),
);

const keyCondition = fc.constantFrom(
  '',
  ' AND sk < ?',
  ' AND sk >= ?',
  ' AND sk BETWEEN ? AND ?',
  ' AND begins_with(sk, ?)',
);
const read: fc.Arbitrary<Command> = fc.oneof(
  key.map((Key) => new GetCommand({ TableName, Key, ConsistentRead: true })),
  fc
    .uniqueArray(key, { minLength: 1, maxLength: 4, selector: ({ pk, sk }) => pk + sk })
    .map((Keys) => new BatchGetCommand({ RequestItems: { [TableName]: { Keys } } })),
  fc
    .tuple(
      keyCondition,
      fc.constantFrom(...pks),
      fc.array(fc.constantFrom(...sks), { minLength: 2, maxLength: 2 }),
      fc.option(condition),
      fc.boolean(),
      fc.option(fc.integer({ min: 1, max: 3 })),
    )
    .map(([range, pk, bounds, filter, ScanIndexForward, Limit]) => {
      const asked = expressionOf(`pk = ?${range}`, [], [pk, ...bounds.toSorted()], 'k');
      return new QueryCommand({
        ...{ TableName, KeyConditionExpression: asked.text, ScanIndexForward },
        ...(filter && { FilterExpression: filter.text }),
        ...(Limit !== null && { Limit }),
        ...attributesOf(joined(filter ? [asked, filter] : [asked], '')),
      });
    }),
  fc.tuple(fc.constantFrom('<', '<=', '>', '='), fc.constantFrom(0, 1, 10)).map(
    ([sign, at]) =>
      new QueryCommand({
        ...{ TableName, IndexName: 'due' },
        ...{ KeyConditionExpression: `dueShard = :s AND nextPollAt ${sign} :t` },
        ExpressionAttributeValues: { ':s': 's#1', ':t': at },
      }),
  ),
  fc.constant(new ScanCommand({ TableName })),
);

export const anyRequest = fc.oneof({ weight: 2, arbitrary: write }, read);
