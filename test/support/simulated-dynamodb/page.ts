// A page of a query or a scan: it ends after 1 MB of what is read, as in DynamoDB.
import type { StoredItem } from './attribute-values.ts';
import { meets, parseCondition } from './conditions.ts';
import { type Bindings, projected } from './paths.ts';
import type { Input } from './request-parts.ts';
import type { IndexDefinition } from './simulated-table.ts';
import type { Entry } from './sorted-entries.ts';

const pageBytes = 1_048_576;

interface Asked {
  /** undefined for the table itself. */
  index?: IndexDefinition | undefined;
  bindings: Bindings;
}

/** The first page of these entries. @throws RefusedRequest */
export function pageOf(
  entries: Iterable<Entry>,
  input: Input,
  { index, bindings }: Asked,
): { text: string; readBytes: number } {
  const filter = input.FilterExpression ? parseCondition(input.FilterExpression) : undefined;
  const texts: string[] = [];
  const { Limit = Number.POSITIVE_INFINITY } = input;
  let [readBytes, scanned, counted] = [0, 0, 0];
  let last: Entry | undefined;
  let isCut = false;
  for (const entry of entries) {
    if (scanned >= Limit || readBytes >= pageBytes) {
      isCut = true;
      break;
    }
    scanned += 1;
    readBytes += index?.projection === 'KEYS_ONLY' ? 100 : entry.bytes;
    last = entry;
    if (filter && !meets(entry.item(), filter, bindings)) continue;
    counted += 1;
    if (input.Select !== 'COUNT') texts.push(shown(entry, input, { index, bindings }));
  }
  // DynamoDB also gives a key where exactly the last entry filled the page.
  const isEnd = !isCut && scanned < Limit && readBytes < pageBytes;
  const lastKey =
    isEnd || !last ? '' : `,"LastEvaluatedKey":${JSON.stringify(startKeyOf(last, index))}`;
  const items = input.Select === 'COUNT' ? '' : `,"Items":[${texts.join(',')}]`;
  return { text: `{"Count":${counted},"ScannedCount":${scanned}${items}${lastKey}}`, readBytes };
}

function startKeyOf(entry: Entry, index: IndexDefinition | undefined): StoredItem {
  const item = entry.item();
  const names = ['pk', 'sk', ...(index ? [index.partition, index.sort] : [])];
  return Object.fromEntries(names.map((name) => [name, item[name] ?? {}]));
}

function shown(
  entry: Entry,
  { ProjectionExpression: wanted }: Input,
  { index, bindings }: Asked,
): string {
  if (index?.projection === 'KEYS_ONLY') return JSON.stringify(startKeyOf(entry, index));
  return wanted === undefined
    ? entry.text()
    : JSON.stringify(projected(entry.item(), wanted, bindings));
}
