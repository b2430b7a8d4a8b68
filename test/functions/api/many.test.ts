// An owner with thousands of watches: lists reach each one once, whatever DynamoDB's own pages are.
import { describe, expect, it } from 'vitest';
import { ruleSchema } from '#shared/rules/language/rule.ts';
import { type Api, startApi, startMs } from '#test/support/api.ts';

describe('three thousand watches, more than one of DynamoDB’s pages', () => {
  it('are listed page by page, each once, and exported whole', async () => {
    const api = await startApi();
    const { ownerId, channelId } = api.ann;
    const rule = ruleSchema.parse({ type: 'level', metric: 'get_in', at_or_below: 80 });
    const createdAt = new Date(startMs).toISOString();
    const ids = Array.from({ length: 3_000 }, (_, n) => `wat_${n.toString(16).padStart(32, '0')}`);
    for (let start = 0; start < ids.length; start += 100) {
      await Promise.all(
        ids.slice(start, start + 100).map((watchId, index) =>
          api.stores.watches.create({
            ...{ watchId, ownerId, eventId: 1 + (index % 2), name: 'x'.repeat(200) },
            rules: [{ ruleId: 'rul_1', rule, triggerIds: ['trg_1'] }],
            channelIds: [channelId],
            tags: index === 99 ? ['rare'] : [],
            ...{
              status: 'active',
              latencySeconds: 60,
              version: 1,
              createdAt,
              updatedAt: createdAt,
            },
          }),
        ),
      );
    }
    const walk = async (query: string) => {
      const found: string[] = [];
      let cursor = '';
      for (let page = 0; page < 40; page += 1) {
        const { body } = await api.call(`/v1/watches?limit=200${query}${cursor}`);
        found.push(...body.data.map(({ id }: { id: string }) => id));
        if (!body.has_more) break;
        cursor = `&starting_after=${body.next_cursor}`;
      }
      return found;
    };
    expect((await walk('')).toSorted()).toEqual(ids);
    expect(await walk('&tag=rare')).toHaveLength(30);
    expect(await walk('&event_id=1')).toHaveLength(1_500);
    const { body } = await api.call('/v1/watchlist/export');
    expect(body.watches).toHaveLength(3_000);
    const { text, headers } = await api.call('/v1/watchlist/export?format=csv');
    expect(text.trim().split('\r\n')).toHaveLength(3_001);
    // So many watches have no time for the columns about the present.
    expect(text).not.toContain(',new,');
    expect(headers.get('link')).toBeNull();
    const files = await walkFiles(api, '/v1/watchlist/export?format=csv&limit=1100');
    expect(files.map((file) => file.split('\r\n').length - 2)).toEqual([1_100, 1_100, 800]);
    expect(files.join('').match(/wat_[0-9a-f]{32}/g)).toEqual(ids);
    expect(files.map((file) => file.match(/,new,/g)?.length)).toEqual([1_100, 1_100, 800]);
    await api.stop();
  }, 120_000);
});

/** The texts of a file and of the files that Link headers name after it. */
async function walkFiles(api: Api, first: string): Promise<string[]> {
  const files: string[] = [];
  for (let path: string | undefined = first; path !== undefined; ) {
    const { text, headers } = await api.call(path);
    files.push(text);
    path = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
  }
  return files;
}
