// The table of what each kind of stored item has of an owner names every kind.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ownerData, ownerLists } from '#shared/watchlist/owner-data.ts';

const folder = new URL('../../../shared/dynamo/', import.meta.url);
const source = readdirSync(folder)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(new URL(name, folder), 'utf8'))
  .join('\n');

describe('the table of an owner’s data', () => {
  it('names every kind of stored item, and no other', () => {
    const kinds = [...source.matchAll(/new Entity\(\{\s*name: '(\w+)'/g)].map(([, name]) => name);
    expect(kinds.length).toBeGreaterThan(40);
    expect([...source.matchAll(/new Entity\(/g)]).toHaveLength(kinds.length);
    // What reads a part of an item names its kind again.
    expect(Object.keys(ownerData).sort()).toEqual([...new Set(kinds)].sort());
  });

  it('names every list of the owner index', () => {
    const lists = [...source.matchAll(/ownerKey: `\$\{[\w.]+\}#(\w+)`/g)].map(([, list]) => list);
    expect([...new Set(lists)].sort()).toEqual([...ownerLists].sort());
  });
});
