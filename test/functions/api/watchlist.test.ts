// The watchlist as a file: what goes out comes in again, and a fault anywhere adds nothing anywhere.
import { beforeEach, describe, expect, it } from 'vitest';
import { type Api, eventId, levelRule, startApi, startMs, statsAt } from '#test/support/api.ts';

let api: Api;

beforeEach(async () => {
  api = await startApi();
  return () => api.stop();
});

async function importCsv(text: string, query = '') {
  const response = await api.app.request(`/v1/watchlist/import${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api.ann.key}`, 'content-type': 'text/csv' },
    body: text,
  });
  // biome-ignore lint/suspicious/noExplicitAny: a body of any shape
  return { status: response.status, body: (await response.json()) as any };
}
const importJson = (watches: unknown[], query = '') =>
  api.call(`/v1/watchlist/import${query}`, { body: { watches } });
const listed = async () => (await api.call('/v1/watches')).body.data;

const quotedRule = (level: number) =>
  `"${JSON.stringify([levelRule(level)]).replaceAll('"', '""')}"`;

describe('a file that goes out', () => {
  beforeEach(async () => {
    const make = (body: Record<string, unknown>) =>
      api.call('/v1/watches', {
        body: { event_id: eventId, rules: [levelRule(80)], channels: [api.ann.channelId], ...body },
      });
    await make({ name: 'A "quoted", odd\nname', tags: ['a', 'b'], latency_seconds: 300 });
    await make({ rules: [levelRule(70), { type: 'supply', at_or_below: 5 }] });
  });

  it.each(['json', 'csv'])('comes in again as the same watches (%s)', async (format) => {
    const before = await listed();
    const { text, headers } = await api.call(`/v1/watchlist/export?format=${format}`);
    expect(headers.get('content-disposition')).toBe(`attachment; filename="watchlist.${format}"`);
    for (const { id } of before) {
      await api.call(`/v1/watches/${id}`, { method: 'DELETE', headers: { 'if-match': '*' } });
    }
    const { status, body } =
      format === 'csv' ? await importCsv(text) : await importJson(JSON.parse(text).watches);
    expect([status, body.created, body.refused]).toEqual([200, 2, 0]);
    const what = (watch: Record<string, unknown>) => ({
      ...watch,
      ...{ id: 0, created_at: 0, updated_at: 0 },
      rules: (watch.rules as { rule: unknown }[]).map(({ rule }) => rule),
    });
    expect((await listed()).map(what)).toEqual(before.map(what));
  });

  it('says what was there already, so that an import may be repeated', async () => {
    const { text } = await api.call('/v1/watchlist/export?format=csv');
    const { body } = await importCsv(text);
    expect([body.created, body.already_there]).toEqual([0, 2]);
    expect(await listed()).toHaveLength(2);
  });
});

describe('a file with faults', () => {
  it('is refused whole, every fault with its line', async () => {
    await api.stores.snapshots.createAll([statsAt(startMs, 100, { Court: 90 })], startMs);
    const channel = api.ann.channelId;
    const zone = JSON.stringify({ ...levelRule(5), zone: 'Curt' }).replaceAll('"', '""');
    const { status, body } = await importCsv(
      [
        'event_id,rules,channels,name',
        `4711,${quotedRule(80)},${channel},"fine, over`,
        'two lines"',
        `abc,${quotedRule(80)},${channel},`,
        `4711,nonsense,${channel},`,
        `4711,${quotedRule(-5)},${api.bob.channelId},`,
        `4711,"${zone}",${channel},`,
        `4711,${quotedRule(81)},${api.bob.channelId},`,
      ].join('\n'),
    );
    expect(status).toBe(400);
    expect(
      body.errors.map(({ line, pointer }: { line: number; pointer: string }) => [line, pointer]),
    ).toEqual([
      [4, '#/event_id'],
      [5, '#/rules'],
      [6, '#/rules/0/at_or_below'],
      [7, '#/rules/0/zone'],
      [8, '#/channels/0'],
    ]);
    expect(body.detail).toMatch(/^Nothing was added\. Line 4: /);
    expect(await listed()).toEqual([]);
  });

  it.each([
    ['no rows', 'event_id,rules\n'],
    ['no header', `4711,${quotedRule(5)}\n`],
    ['an unknown column', 'event_id,rules,colour\n4711,x,red\n'],
    ['a column twice', 'event_id,rules,rules\n1,2,3\n'],
    ['a quote that stays open', 'event_id,rules\n4711,"oops\n'],
    ['a row of another length', 'event_id,rules\n1,2,3\n'],
  ])('with %s is refused', async (_, text) => {
    expect((await importCsv(text)).status).toBe(400);
    expect(await listed()).toEqual([]);
  });

  it('names the row of a JSON file', async () => {
    const good = { event_id: 1, rules: [levelRule(5)], channels: [api.ann.channelId] };
    const { status, body } = await importJson([good, { ...good, evnt_id: 2 }]);
    expect([status, body.errors[0].line, body.errors[0].pointer]).toEqual([
      400,
      2,
      '#/watches/1/evnt_id',
    ]);
    expect(await listed()).toEqual([]);
  });
});

it('a dry run checks everything and adds nothing', async () => {
  const watch = { event_id: 1, rules: [levelRule(5)], channels: [api.ann.channelId] };
  const { status, body } = await importJson([watch], '?dry_run=true');
  expect([status, body.watches[0].outcome]).toEqual([200, 'would_be_created']);
  expect(await listed()).toEqual([]);
});

it('a quota that is reached in the middle is told line by line', async () => {
  const small = await startApi({ quotas: { watches: 1, rules: 10, channels: 1 } });
  const row = (level: number) => ({
    event_id: 1,
    rules: [levelRule(level)],
    channels: [small.ann.channelId],
  });
  const { status, body } = await small.call('/v1/watchlist/import', {
    body: { watches: [row(1), row(2)] },
  });
  await small.stop();
  expect([status, body.created, body.refused]).toEqual([200, 1, 1]);
  expect(body.watches[1]).toMatchObject({
    line: 2,
    outcome: 'refused',
    detail: 'An owner may have 1 watches; delete some first',
  });
});
