// The placeholders of a request: each that an expression names must stand for something, and each given one be named.
import { onceForEachText } from './expression-reader.ts';
import { refuse } from './refused-request.ts';
import type { Input } from './request-parts.ts';

const namedIn = onceForEachText((text) => new Set(text.match(/[#:]\w+/g)));

/** @throws RefusedRequest */
export function checkPlaceholders(input: Input): void {
  const text = [
    input.ConditionExpression,
    input.UpdateExpression,
    input.KeyConditionExpression,
    input.FilterExpression,
    input.ProjectionExpression,
  ].join(' ');
  const used = namedIn(text);
  const given = [
    ...Object.keys(input.ExpressionAttributeNames ?? {}),
    ...Object.keys(input.ExpressionAttributeValues ?? {}),
  ];
  const unused = given.find((each) => !used.has(each));
  if (unused !== undefined) refuse(`${unused} is given, but not used in expressions`);
  if (used.size > given.length) refuse('A placeholder used in an expression is not defined');
}
