// The watchlist as a file: what goes out comes in again, and a fault anywhere adds nothing anywhere.
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { nameChannels } from '#functions/api/watches/channel-names.ts';
import { readCsvFile } from '#functions/api/watches/watchlist-csv.ts';
import { type FileReading, fileRow, readJsonFile } from '#functions/api/watches/watchlist-file.ts';
import { csvFile } from '#functions/api/watches/write-watchlist-csv.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import { newWatchSchema } from '#shared/watchlist/watch-request.ts';
import {
  type Api,
  anyVersion,
  eventId,
  levelRule,
  startApi,
  startMs,
  statsAt,
  watchBody,
} from '#test/support/api.ts';
import { anyRule } from '#test/support/rules/arbitraries.ts';

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
      ...{ id: 0, created_at: 0, updated_at: 0, changed_by: 0 },
      rules: (watch.rules as { rule: unknown }[]).map(({ rule }) => rule),
    });
    expect((await listed()).map(what)).toEqual(before.map(what));
  });

  it('says what was there already, so that an import may be repeated', async () => {
    const { text } = await api.call('/v1/watchlist/export?format=csv');
    const { body } = await importCsv(text);
    expect([body.created, body.unchanged]).toEqual([0, 2]);
    expect(await listed()).toHaveLength(2);
  });
});

/** Names with quotes, breaks, separators and what spreadsheets take for formulas. */
const anyName = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
    fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', ';', ' ', '=', '\t', 'a', "'") }),
    fc.constantFrom('=1+1', '007', 'true', '1e5', '"', '#', '\u2028'),
  )
  .map((name) => name.trim().slice(0, 200))
  .filter((name) => name !== '' && name.isWellFormed());

const anyId = fc.nat(0xffff).map((n) => `ch_${n.toString(16).padStart(32, '0')}`);

const anyWatch: fc.Arbitrary<Watch> = fc
  .record(
    {
      event_id: fc.integer({ min: 1, max: 999_999_999_999_999 }),
      name: anyName,
      tags: fc.uniqueArray(fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,39}$/), { maxLength: 10 }),
      rules: fc.array(anyRule, { minLength: 1, maxLength: 4 }),
      channels: fc.uniqueArray(anyId, { minLength: 1, maxLength: 5 }),
      latency_seconds: fc.integer({ min: 1, max: 86_400 }),
      fallback_channel: anyId,
    },
    { requiredKeys: ['event_id', 'rules'] },
  )
  .map((body) => watchOf(newWatchSchema.parse(body)));

const severalWatches = fc
  .array(anyWatch, { minLength: 1, maxLength: 5 })
  .map((watches) => watches.map((watch, index) => ({ ...watch, watchId: watchIdOf(index) })));

const watchIdOf = (number: number) => `wat_${String(number).padStart(32, '0')}`;

/** A watch as it is stored for such a body; what is not said comes from the defaults. */
function watchOf(wanted: ReturnType<typeof newWatchSchema.parse>): Watch {
  const { channels = [`ch_${'d'.repeat(32)}`], latency_seconds: latencySeconds = 60 } = wanted;
  const at = new Date(startMs).toISOString();
  return {
    ...{ watchId: 'wat_1', ownerId: 'own_1', eventId: wanted.event_id, status: 'active' },
    ...(wanted.name !== undefined && { name: wanted.name }),
    ...(wanted.tags && { tags: wanted.tags }),
    rules: wanted.rules.map((rule) => ({ ruleId: 'rul_1', rule, triggerIds: [] })),
    channelIds: channels,
    latencySeconds,
    ...(wanted.fallback_channel && { fallbackChannelId: wanted.fallback_channel }),
    inherits: [
      ...(wanted.channels ? [] : ['channels' as const]),
      ...(wanted.latency_seconds === undefined ? ['latency_seconds' as const] : []),
    ],
    ...{ version: 1, createdAt: at, updatedAt: at },
  };
}

describe('any watches', () => {
  const extras = { channels: nameChannels([]), facts: new Map(), troubles: new Map() };
  const readings: [string, (watches: Watch[]) => FileReading | Promise<FileReading>][] = [
    ['csv', (watches) => readCsvFile(csvFile(watches, extras), extras.channels)],
    [
      'csv for Excel',
      (watches) => {
        const form = { separator: 'semicolon', isMarked: true } as const;
        return readCsvFile(csvFile(watches, extras, form), extras.channels);
      },
    ],
    [
      'json',
      (watches) => readJsonFile(JSON.parse(JSON.stringify({ watches: watches.map(fileRow) }))),
    ],
  ];

  it.each(readings)('come in as they went out (%s)', async (_, read) => {
    await fc.assert(
      fc.asyncProperty(severalWatches, async (watches) => {
        const { rows, faults } = await read(watches);
        expect(faults).toEqual([]);
        const again = rows.map(({ id, fields }) => ({
          ...watchOf(newWatchSchema.parse(fields)),
          watchId: id ?? '',
        }));
        expect(again.map(fileRow)).toEqual(watches.map(fileRow));
      }),
      { numRuns: 300 },
    );
  });
});

describe('a file from a spreadsheet', () => {
  const header = 'event_id,rules,channels,name';
  const row = (name: string, level = 80) =>
    `${eventId},${quotedRule(level)},${api.ann.channelId},${name}`;
  const names = async () => (await listed()).map(({ name }: { name: string | null }) => name);

  it.each([
    ['a byte order mark', () => `\uFEFF${header}\n${row('Ann')}\n`],
    ['a sep= line', () => `sep=,\r\n${header}\r\n${row('Ann')}\r\n`],
    ['both', () => `\uFEFFsep=,\r\n${header}\r\n${row('Ann')}\r\n`],
    ['empty rows', () => `,,,\n${header}\n,,,\n\n${row('Ann')}\n,,,\n, , ,\n`],
    ['a padded header', () => ` Event ID , RULES ,Channels, name ,,\n${row('Ann')},,\n`],
    ['old line ends', () => `${header}\r${row('Ann')}\r`],
  ])('is taken with %s', async (_, text) => {
    const { status, body } = await importCsv(text());
    expect([status, body.created]).toEqual([200, 1]);
    expect(await names()).toEqual(['Ann']);
  });

  it.each([
    ['semicolons', ';'],
    ['tabs', '\t'],
  ])('is taken with %s', async (_, separator) => {
    const cells = [String(eventId), quotedRule(80), api.ann.channelId, '"a, b"'];
    const text = `${header.replaceAll(',', separator)}\n${cells.join(separator)}\n`;
    expect((await importCsv(text)).body.created).toBe(1);
    expect(await names()).toEqual(['a, b']);
  });

  it('is taken without the empty cells at the end of a row, which Excel leaves out', async () => {
    const text = `${header},tags\n${row('Ann')}\n`;
    expect((await importCsv(text)).body.created).toBe(1);
  });

  it('keeps a break in a quoted cell, and counts lines after it', async () => {
    const text = `sep=,\n${header}\n\n${row('"two\r\nlines"')}\n,,,\n${row('x')},what\n`;
    const { status, body } = await importCsv(text);
    expect([status, body.errors]).toEqual([
      400,
      [{ line: 7, pointer: '#', detail: 'has text in column 5, which has no name in the header' }],
    ]);
    expect((await importCsv(text.replace(',what', ''))).body).toMatchObject({
      created: 2,
      watches: [{ line: 4 }, { line: 7 }],
    });
    expect(await names()).toEqual(['x', 'two\r\nlines']);
  });

  it.each(['=HYPERLINK("http://x")', '+1', '-2+3', '@SUM(A1)', "'=1", "'plain"])(
    'gives %s back as the text that it was, and exports no formula',
    async (name) => {
      await api.call('/v1/watches', { body: watchBody(api, { name }) });
      const path = '/v1/watchlist/export?format=csv&for=excel&separator=semicolon';
      const { text } = await api.call(path);
      const exported = Buffer.from(await (await raw(path)).arrayBuffer());
      expect(exported.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
      expect(text).not.toMatch(/(^|[;"\n])[=+@-]/);
      const { id } = (await listed())[0];
      await api.call(`/v1/watches/${id}`, { method: 'DELETE', headers: anyVersion });
      expect((await importCsv(text)).body.created).toBe(1);
      expect(await names()).toEqual([name]);
    },
  );

  const raw = (path: string) =>
    api.app.request(path, { headers: { authorization: `Bearer ${api.ann.key}` } });
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
    expect(body.detail).toMatch(/^Nothing was changed\. Line 4: event_id must /);
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
  const file = { body: { watches: [row(1), row(2)] } };
  const { body: dry } = await small.call('/v1/watchlist/import?dry_run=true', file);
  const { status, body } = await small.call('/v1/watchlist/import', file);
  await small.stop();
  expect([dry.would_be_created, dry.refused]).toEqual([1, 1]);
  expect(dry.watches[1]).toEqual(body.watches[1]);
  expect([status, body.created, body.refused]).toEqual([200, 1, 1]);
  expect(body.watches[1]).toMatchObject({
    line: 2,
    outcome: 'refused',
    detail: 'An owner can have at most 1 watches; delete some first',
  });
});

describe('a watch that was changed', () => {
  it('is unchanged when its export is imported', async () => {
    const { body: watch } = await api.call('/v1/watches', { body: watchBody(api) });
    await api.call(`/v1/watches/${watch.id}`, {
      ...{ method: 'PATCH', headers: anyVersion },
      body: { name: 'Finals', rules: [levelRule(60)] },
    });
    const { body: file } = await api.call('/v1/watchlist/export');
    const { body } = await api.call('/v1/watchlist/import', { body: file });

    expect(body).toMatchObject({ created: 0, unchanged: 1, watches: [{ id: watch.id }] });
  });
});
