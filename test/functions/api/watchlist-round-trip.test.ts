// An export that is changed in a spreadsheet and imported again: each row changes the watch of its id.
import { beforeEach, describe, expect, it } from 'vitest';
import type { Stores } from '#shared/dynamo/stores.ts';
import { MarketplaceError } from '#shared/marketplace/errors.ts';
import { anAlert } from '#test/support/alerts.ts';
import {
  type Api,
  aChannel,
  eventId,
  levelRule,
  startApi,
  startMs,
  watchBody,
} from '#test/support/api.ts';
import { storeWatch } from '#test/support/many-watches.ts';

let api: Api;
const found = [
  { event_id: 501, event_name: 'Cavaliers at Knicks', event_date: '2026-12-02' },
  { event_id: 502, event_name: 'Knicks Parking', event_date: '2026-12-02' },
];
let asked: unknown[];

beforeEach(async () => {
  asked = [];
  api = await startApi({
    searchEvents: async (search) => {
      asked.push(search.question);
      return { events: found, source: 'marketplace', readAt: search.now };
    },
  });
  return () => api.stop();
});

async function importCsv(text: string, query = '', key = api.ann.key) {
  const response = await api.app.request(`/v1/watchlist/import${query}`, {
    ...{ method: 'POST', body: text },
    headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv' },
  });
  // biome-ignore lint/suspicious/noExplicitAny: a body of any shape
  return { status: response.status, body: (await response.json()) as any };
}

const create = async (also: Record<string, unknown> = {}) =>
  (await api.call('/v1/watches', { body: watchBody(api, also) })).body;
const read = async (id: string) => (await api.call(`/v1/watches/${id}`)).body;
const exported = async () => (await api.call('/v1/watchlist/export?format=csv')).text;
const count = async () => (await api.stores.watches.listAll(api.ann.ownerId)).length;

/** The cells of the only row of a CSV without quotes, by column. */
const cellsOf = (text: string) => {
  const [header = '', row = ''] = text.split('\r\n');
  const names = header.split(',');
  return Object.fromEntries(row.split(',').map((cell, index) => [names[index] ?? '', cell]));
};

describe('an export', () => {
  it('of a watch whose channel went before it was restored can be imported, and changes nothing', async () => {
    const { id } = await create();
    const headers = { 'if-match': '*' };
    await api.call(`/v1/watches/${id}`, { method: 'DELETE', headers });
    await api.call(`/v1/channels/${api.ann.channelId}`, { method: 'DELETE', headers });
    await api.call(`/v1/watches/${id}/restore`, { method: 'POST' });
    expect((await read(id)).channels).toEqual([]);
    const { body: file } = await api.call('/v1/watchlist/export');
    expect(file.watches[0]).not.toHaveProperty('channels');
    const { status, body: report } = await api.call('/v1/watchlist/import', { body: file });
    expect([status, report.unchanged]).toEqual([200, 1]);
  });

  it('says for people what the event is, how it stands, and when it alerted', async () => {
    const { ownerId, channelId } = api.ann;
    await storeWatch(api.stores, { ownerId, channelId, n: 51 });
    const row = cellsOf((await exported()).replace('"Knicks, game 51"', 'Knicks'));
    expect(row).toMatchObject({
      ...{ event_id: '51', event: 'Knicks', date: '2026-05-01', at_or_below: '101' },
      ...{ state: 'armed', value: '92.4', distance_percent: '0', last_alert_at: '' },
    });
    await api.stores.triggers.edit(`trg_${'510'.padStart(32, '0')}`, (trigger) => ({
      ...{ ...trigger, state: 'fired', generation: 1 },
      memory: { ...trigger.memory, firings: [startMs] },
    }));
    const alertId = `trg_${'510'.padStart(32, '0')}`.replace('trg_', 'alt_');
    await api.stores.alerts.create(anAlert({ alertId: `${alertId}_1`, ownerId, firedAt: startMs }));
    const later = cellsOf((await exported()).replace('"Knicks, game 51"', 'Knicks'));
    expect(later).toMatchObject({ state: 'fired', last_alert_at: '2026-03-01T12:00:00.000Z' });
  });

  it('is imported again without a change: the columns for people are ignored', async () => {
    const { ownerId, channelId } = api.ann;
    await storeWatch(api.stores, { ownerId, channelId, n: 51 });
    expect((await importCsv(await exported())).body).toMatchObject({ unchanged: 1, refused: 0 });
  });
});

describe('a changed export', () => {
  it('changes the level of the same watch, and the rule keeps its id', async () => {
    const before = await create({ name: 'Finals', rules: [levelRule(80)] });
    const text = await exported();
    expect(cellsOf(text)).toMatchObject({ id: before.id, at_or_below: '80', rules: '' });
    const { body } = await importCsv(text.replace(',80,', ',75,'));
    expect(body).toMatchObject({ updated: 1, created: 0, watches: [{ id: before.id }] });
    const after = await read(before.id);
    expect(after.rules[0]).toMatchObject({ id: before.rules[0].id, rule: { at_or_below: 75 } });
    expect([after.name, await count()]).toEqual(['Finals', 1]);

    expect((await importCsv(await exported())).body).toMatchObject({ updated: 0, unchanged: 1 });
  });

  it.each([
    ['a zone', levelRule(80), { ...levelRule(80), zone: 'Court' }, { zone: 'Court' }],
    [
      'seats',
      levelRule(80),
      { type: 'listing', sections: ['101-118', 'CLUB*'], rows: ['A-K'], at_or_below: 80 },
      { section: '"101-118, CLUB*"', row: 'A-K' },
    ],
    [
      'a drop',
      {
        type: 'change',
        metric: 'get_in',
        drops_by: { percent: 10 },
        from: { of: 'high', window: '24h' },
      },
      {
        type: 'change',
        metric: 'get_in',
        drops_by: { percent: 15 },
        from: { of: 'high', window: '24h' },
      },
      { drop_percent: '15%' },
    ],
  ])('gets %s by plain columns', async (_, rule, wanted, cells) => {
    const { id } = await create({ rules: [rule] });
    const price = 'drop_percent' in cells ? '' : '$80';
    const row = { id, at_or_below: price, ...cells };
    const text = `${Object.keys(row).join(',')}\n${Object.values(row).join(',')}\n`;
    expect((await importCsv(text)).body).toMatchObject({ updated: 1 });
    expect((await read(id)).rules.map((each: { rule: unknown }) => each.rule)).toEqual([wanted]);
  });

  it('resets what is empty, and leaves what the file does not have', async () => {
    const { id } = await create({ name: 'Finals', tags: ['a'], latency_seconds: 900 });
    expect((await importCsv(`id,name,latency_seconds\n${id},,\n`)).body.updated).toBe(1);
    expect(await read(id)).toMatchObject({
      ...{ name: null, tags: ['a'], inherits: ['latency_seconds'] },
      channels: [api.ann.channelId],
    });
  });

  it('makes a row without an id a new watch, once', async () => {
    const { id } = await create();
    const row = `,${eventId},60,${api.ann.channelId}`;
    const text = `id,event_id,at_or_below,channels\n${id},${eventId},80,\n${row}\n${row}\n`;
    await api.stores.ownerDefaults.replace(await api.stores.ownerDefaults.find(api.ann.ownerId), {
      ownerId: api.ann.ownerId,
      version: 1,
      all: { channelIds: [api.ann.channelId] },
      tags: {},
    });
    const { body } = await importCsv(text);
    expect(body.watches.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      ...['updated', 'created', 'already_there'],
    ]);
    expect(body.watches[2].detail).toBe('asks for the same watch as line 3');
    expect(await count()).toBe(2);
  });
});

describe('a text that a spreadsheet rewrites when it saves a file', () => {
  it('is exported so that it stays, and comes back', async () => {
    const rules = [{ type: 'listing', sections: ['MAR1'], rows: ['1-10'], at_or_below: 80 }];
    const before = await create({ name: '007', tags: ['2-12'], rules });
    const text = await exported();
    expect(cellsOf(text)).toMatchObject({
      ...{ section: "'MAR1", row: "'1-10", name: "'007", tags: "'2-12" },
      ...{ event_id: String(eventId), at_or_below: '80' },
    });
    expect((await importCsv(text)).body.unchanged).toBe(1);
    expect((await importCsv(text.replace(',80,', ',75,'))).body.updated).toBe(1);
    expect(await read(before.id)).toMatchObject({
      ...{ name: '007', tags: ['2-12'] },
      rules: [{ rule: { ...rules[0], at_or_below: 75 } }],
    });
  });
});

describe('an export as JSON', () => {
  it('changes the same watch, and leaves the fields that it does not have', async () => {
    const { id } = await create({ name: 'Finals', rules: [levelRule(80)] });
    const { watches } = (await api.call('/v1/watchlist/export')).body;
    const [{ name: _name, ...row }] = watches;
    const body = { watches: [{ ...row, rules: [levelRule(75)] }] };
    const { body: report } = await api.call('/v1/watchlist/import', { body });
    expect(report).toMatchObject({ updated: 1, created: 0 });
    expect(await read(id)).toMatchObject({
      name: 'Finals',
      rules: [{ rule: { at_or_below: 75 } }],
    });
  });
});

describe('a watch of another owner', () => {
  it('is not changed by its id: the row is a new watch of the sender', async () => {
    const { id } = await create();
    const text = `id,event_id,at_or_below,channels\n${id},${eventId},5,${api.bob.channelId}\n`;
    const { body } = await importCsv(text, '', api.bob.key);
    expect([body.created, body.watches[0].id === id]).toEqual([1, false]);
    expect((await read(id)).rules[0].rule.at_or_below).toBe(80);
  });

  it('is said to be no watch of the sender, if the row is no new watch either', async () => {
    const { id } = await create();
    const { body } = await importCsv(`id,at_or_below\n${id},5\n`, '?dry_run=true', api.bob.key);
    expect(body.watches[0].detail).toMatch(
      /^id is no watch of yours, so this row asks for a new watch; event_id is missing/,
    );
  });
});

describe('channels', () => {
  beforeEach(async () => {
    const add = (digit: string, name: string) =>
      api.stores.channels.create({
        ...aChannel(`ch_${digit.repeat(32)}`, api.ann.ownerId),
        ...{ name, target: { kind: 'webhook', url: `https://x.example/${digit}`, secrets: [] } },
      });
    await add('a', '=Ops, night');
    await add('b', 'Desk');
    await add('c', 'Twin');
    await add('d', 'twin');
  });

  it('are named, or have their id where the name is no single name', async () => {
    const ids = ['b', 'c', 'a'].map((digit) => `ch_${digit.repeat(32)}`);
    const { id } = await create({ channels: ids });
    const text = await exported();
    expect(text).toContain(`"Desk; ${ids[1]}; ${ids[2]}"`);
    expect((await importCsv(text)).body.unchanged).toBe(1);

    const renamed = text.replace(/"Desk; [^"]*"/, '"desk, ann@example.com"');
    expect((await importCsv(renamed)).body.updated).toBe(1);
    expect((await read(id)).channels).toEqual([ids[0], api.ann.channelId]);
    // A channel without a name has its address.
    expect(await exported()).toContain('"Desk; ann@example.com"');
  });

  it.each([
    ['Twin', 'has “Twin”, the name of 2 of your channels: write the id'],
    ['Nobody', 'has “Nobody”, which is neither the id nor the name of a channel of yours'],
  ])('named %s are refused', async (name, detail) => {
    const { status, body } = await importCsv(`event_id,at_or_below,channels\n1,5,${name}\n`);
    expect([status, body.errors]).toEqual([400, [{ line: 2, pointer: '#/channels', detail }]]);
  });
});

describe('a fault of a row', () => {
  const faulty = async (header: string, ...rows: string[]) => {
    const { status, body } = await importCsv(`${header}\n${rows.join('\n')}\n`);
    expect(status).toBe(400);
    return body.errors.map(
      ({ line, pointer, detail }: Record<string, string>) => `${line} ${pointer} ${detail}`,
    );
  };

  it.each([
    [
      'two sayings of the rules',
      '5,"{""type"":""supply"",""at_or_below"":4}"',
      '#/rules says the rules of this row, and so does at_or_below: empty one of the two',
    ],
    ['a price with two readings', '1.200,', '#/at_or_below must be a number such as 75 or 75.50'],
    ['no rule', ',', '#/at_or_below is empty: write a price, drop_percent or rules'],
  ])('with %s names its column', async (_, cells, text) => {
    const [fault] = await faulty('event_id,at_or_below,rules', `1,${cells}`);
    expect(fault).toBe(`2 ${text}`);
  });

  it('names a row that is given twice, another event, and seats without a price', async () => {
    const { id } = await create();
    expect(await faulty('id,event_id,section', `${id},99,`, `${id},,`, ',4,101')).toEqual([
      `2 #/event_id is not the event of this watch (${eventId}): empty the id to watch another event`,
      '3 #/id is the id of line 2, too',
      '4 #/section needs a price in at_or_below',
    ]);
    expect(await count()).toBe(1);
  });

  it('is told beside what the other rows would do, in a dry run that changes nothing', async () => {
    const { id } = await create();
    const text = `id,event_id,at_or_below,channels\n${id},,70,${api.ann.channelId}\n,5,60,${api.ann.channelId}\n,x,1,\n`;
    const { status, body } = await importCsv(text, '?dry_run=true');
    const { would_be_created: created, would_be_updated: updated, refused } = body;
    expect([status, created, updated, refused, body.watches]).toEqual([
      200,
      ...[1, 1, 1],
      [
        { line: 2, outcome: 'would_be_updated', id, detail: null },
        { line: 3, outcome: 'would_be_created', id: null, detail: null },
        {
          line: 4,
          outcome: 'refused',
          id: null,
          detail: 'event_id must be a whole number in plain digits',
        },
      ],
    ]);
    expect([(await read(id)).rules[0].rule.at_or_below, await count()]).toEqual([80, 1]);
  });
});

describe('an event', () => {
  const row = (event: string, date: string) =>
    `event,date,at_or_below,channels\n"${event}",${date},60,${api.ann.channelId}\n`;

  it('is found by its name and date, also as a spreadsheet rewrites the date', async () => {
    const { body } = await importCsv(row('cavaliers at knicks', '12/2/2026'));
    expect((await read(body.watches[0].id)).event_id).toBe(501);
    expect(asked).toHaveLength(1);
  });

  it.each(['2026-13-45', '31/31/2026', '2026-02-30', '1.5.2026', '46143'])(
    'is not looked for on a date that is none: %s',
    async (date) => {
      const { body } = await importCsv(row('cavaliers at knicks', date));
      expect([body.errors[0].pointer, asked]).toEqual(['#/date', []]);
    },
  );

  it('that is not the only one is refused with the ids to choose from', async () => {
    const { status, body } = await importCsv(row('knicks', '2026-12-02'));
    expect([status, body.errors[0].detail]).toEqual([
      400,
      'has several events on this date: write one of 501, 502 as event_id',
    ]);
  });

  it('can’t be looked for while the marketplace is down', async () => {
    const down = await startApi({
      searchEvents: async () => {
        throw new MarketplaceError('down', { endpoint: 'search' });
      },
    });
    const response = await down.app.request('/v1/watchlist/import', {
      ...{ method: 'POST', body: row('knicks', '2026-12-02') },
      headers: { authorization: `Bearer ${down.ann.key}`, 'content-type': 'text/csv' },
    });
    await down.stop();
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining('try again in a minute'),
    ]);
  });
});

it('an import that runs out of time reports the rows that are left, and goes on when it is sent again', async () => {
  const clock = { passes: () => {} };
  const slowly = (stores: Stores): Stores => ({
    ...stores,
    watches: {
      ...stores.watches,
      create: (watch) => {
        clock.passes();
        return stores.watches.create(watch);
      },
    },
  });
  const slow = await startApi({}, slowly);
  clock.passes = () => {
    slow.clock.now += 400;
  };
  const rows = Array.from({ length: 70 }, (_, index) => `${index + 1},60,${slow.ann.channelId}`);
  const body = ['event_id,at_or_below,channels', ...rows, rows[69]].join('\n');
  const send = async () =>
    (await slow.call('/v1/watchlist/import', { body, headers: { 'content-type': 'text/csv' } }))
      .body;
  const [first, second, third] = [await send(), await send(), await send()];
  const watches = await slow.stores.watches.listAll(slow.ann.ownerId);
  await slow.stop();

  expect(first).toMatchObject({ created: 50, not_reached: 21, refused: 0 });
  expect(first.watches[50]).toEqual({
    ...{ line: 52, outcome: 'not_reached', id: null },
    detail: 'There was no time left for this row: send the file again',
  });
  expect(second).toMatchObject({ created: 20, already_there: 51, not_reached: 0 });
  expect(third).toMatchObject({ created: 0, already_there: 71, not_reached: 0 });
  expect(watches.map(({ eventId: event }) => event)).toEqual(
    Array.from({ length: 70 }, (_, index) => 70 - index),
  );
});
