// What DynamoDB refuses to store.
import { type AttributeValue, bytesOf, type StoredItem } from './attribute-values.ts';
import { refuse } from './refused-request.ts';
import type { IndexDefinition } from './simulated-table.ts';

const mostItemBytes = 400 * 1_024;
const mostKeyBytes = { partition: 2_048, sort: 1_024 };
/** A number's distance from 0, unless it is 0. */
const numbers = { least: 1e-130, end: 1e126 };

/** An item as it would be stored. @throws RefusedRequest */
export function checkItem(item: StoredItem, indexes: Iterable<IndexDefinition>): void {
  if (bytesOf(item) > mostItemBytes) refuse('Item size has exceeded the maximum allowed size');
  checkKey('pk', item.pk, 'S', mostKeyBytes.partition);
  checkKey('sk', item.sk, 'S', mostKeyBytes.sort);
  for (const { partition, sort, type } of indexes) {
    if (item[partition]) checkKey(partition, item[partition], 'S', mostKeyBytes.partition);
    if (item[sort]) checkKey(sort, item[sort], type, mostKeyBytes.sort);
  }
}

function checkKey(
  name: string,
  value: AttributeValue | undefined,
  type: 'S' | 'N',
  mostBytes: number,
): void {
  const text = value?.[type];
  if (!text) refuse(`The key ${name} needs a value of type ${type} that is not empty`);
  if (type === 'S' && Buffer.byteLength(text) > mostBytes) refuse(`The key ${name} is too long`);
}

/** What a request brings: items, keys, values of expressions. @throws RefusedRequest */
export function checkValue(value: AttributeValue): void {
  if (value.N !== undefined) checkNumber(value.N);
  else if (value.M) for (const each of Object.values(value.M)) checkValue(each);
  else if (value.L) value.L.forEach(checkValue);
  const set = value.SS ?? value.NS ?? value.BS;
  if (set && new Set(set).size !== set.length) refuse('A set has a value twice');
  if (set?.length === 0) refuse('A set is empty');
  value.NS?.forEach(checkNumber);
}

function checkNumber(text: string): void {
  const distance = Math.abs(Number(text));
  if (!(distance < numbers.end) || (distance !== 0 && distance < numbers.least)) {
    refuse(`The number ${text} is out of range`);
  }
}
