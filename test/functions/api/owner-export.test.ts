// The export of everything that is stored of an owner.
import { beforeAll, describe, expect, it } from 'vitest';
import { ownerData } from '#shared/watchlist/owner-data.ts';
import { type Api, createKey, startApi } from '#test/support/api.ts';
import { everyItem, makeWholeOwner, textOf, type WholeOwner } from '#test/support/whole-owner.ts';

let api: Api;
let ann: WholeOwner;
let bob: WholeOwner;

beforeAll(async () => {
  api = await startApi({ requestLimit: { requests: 100_000, windowSeconds: 60 } });
  ann = await makeWholeOwner(api, 'annabel');
  bob = await makeWholeOwner(api, 'robert');
  return () => api.stop();
});

interface Row {
  kind: string;
  item: Record<string, unknown>;
  parts: { kind: string; item: Record<string, unknown> }[];
}

async function exportOf(key: string, limit = 200): Promise<{ rows: Row[]; pages: number }> {
  const rows: Row[] = [];
  let pages = 0;
  let cursor: string | null = null;
  do {
    const after: string = cursor === null ? '' : `&starting_after=${cursor}`;
    const { status, body } = await api.call(`/v1/owner/export?limit=${limit}${after}`, { key });
    expect(status).toBe(200);
    rows.push(...body.data);
    cursor = body.next_cursor;
    pages += 1;
  } while (cursor !== null);
  return { rows, pages };
}

const kindsOf = (rows: readonly Row[]) =>
  new Set(rows.flatMap(({ kind, parts }) => [kind, ...parts.map((part) => part.kind)]));

describe('an export', () => {
  it('has every kind of item that is stored of an owner, but for those with a reason', async () => {
    const { rows } = await exportOf(ann.key);
    const wanted = Object.entries(ownerData).filter(([, { exported }]) => exported === true);
    expect([...kindsOf(rows)].sort()).toEqual(wanted.map(([kind]) => kind).sort());
    const stored = new Set((await everyItem(api)).map(({ entity }) => entity));
    // What this owner has not got stored, the test would miss.
    expect(wanted.filter(([kind]) => !stored.has(kind))).toEqual([]);
    const { body } = await api.call('/v1/owner/export', { key: ann.key });
    expect(body.left_out.keptAnswer).toBe(
      'is encrypted with the key of its request, and kept for a day',
    );
  });

  it('has the owner’s own words, and no secret', async () => {
    const text = textOf((await exportOf(ann.key)).rows);
    const { ownerId, watchIds, channelId } = ann;
    for (const word of [ownerId, 'annabel', 'reader@annabel.example', channelId, ...watchIds]) {
      expect(text).toContain(word);
    }
    const stored = (await api.stores.apiKeys.find(ann.keyId)) ?? expect.fail('a key');
    for (const secret of [stored.hash, ann.key, 'path-of-annabel', 'whsec_', '/l/']) {
      expect(text).not.toContain(secret);
    }
  });

  it('has nothing of another owner', async () => {
    const text = textOf((await exportOf(ann.key)).rows);
    expect(bob.names.filter((name) => text.includes(name))).toEqual([]);
  });

  it('is the same in small pages', async () => {
    const whole = await exportOf(ann.key);
    const small = await exportOf(ann.key, 1);
    expect(small.pages).toBeGreaterThan(whole.pages);
    expect(small.rows).toEqual(whole.rows);
  });

  it('can be read with a read key, and takes no other cursor', async () => {
    const key = await createKey(api, ann.ownerId, 'read');
    expect((await api.call('/v1/owner/export', { key })).status).toBe(200);
    // A list of versions gives numbers as its cursors.
    for (const odd of ['9x', '6', '0']) {
      const cursor = Buffer.from(odd).toString('base64url');
      const { status } = await api.call(`/v1/owner/export?starting_after=${cursor}`, { key });
      expect(status).toBe(400);
    }
  });
});
