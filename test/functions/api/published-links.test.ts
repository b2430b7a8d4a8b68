// Links for spreadsheets, calendars and feed readers: what they show, and when they stop working.
import { beforeEach, expect, it } from 'vitest';
import { anAlert } from '#test/support/alerts.ts';
import { type Api, createKey, startApi, startMs } from '#test/support/api.ts';
import { storeWatch } from '#test/support/many-watches.ts';

let api: Api;
beforeEach(async () => {
  api = await startApi();
  return () => api.stop();
});

/** The path of each link of a key. */
async function linksOf(key = api.ann.key): Promise<Record<string, string>> {
  const { body } = await api.call('/v1/published-links', { key });
  const rows = body.data as { view: string; url: string }[];
  return Object.fromEntries(rows.map(({ view, url }) => [view, new URL(url).pathname]));
}

const open = (path = '') => api.call(path, { key: '' });

async function watchGame(n = 1): Promise<void> {
  const { ownerId, channelId } = api.ann;
  await storeWatch(api.stores, { ownerId, channelId, n });
}

it('shows the board as CSV without a key, with event, date, price and distance', async () => {
  await watchGame();
  const links = await linksOf();
  const { status, text, headers } = await open(links['board.csv']);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const [names = '', row = '', ...others] = text.trimEnd().split('\r\n');
  expect(others).toEqual([]);
  expect(names.split(',').slice(0, 4)).toEqual(['event', 'date', 'name', 'state']);
  expect(row).toContain('"Knicks, game 1",2026-05-01,,');
  expect(row).toContain(',92.4,51,');
});

it('shows a text that a spreadsheet would compute as text', async () => {
  await watchGame();
  await api.stores.eventFacts.keep({ eventId: 1, name: '=HYPERLINK("x")', updatedAt: 2 });
  const { text } = await open((await linksOf())['board.csv']);
  expect(text).toContain(`"'=HYPERLINK(""x"")"`);
});

it('shows the alerts, the newest first, as CSV and as Atom without what XML forbids', async () => {
  const { ownerId } = api.ann;
  const alerts = ['Knicks & <Lakers>\u0000]]>', 'Nets'].map((eventName, index) =>
    anAlert({ alertId: `alt_${index}_1`, ownerId, eventName, firedAt: startMs + index * 60_000 }),
  );
  for (const alert of alerts) await api.stores.alerts.create(alert);
  const links = await linksOf();
  const csv = (await open(links['alerts.csv'])).text.trimEnd().split('\r\n');
  expect(csv.map((line) => line.split(',')[0])).toEqual([
    'fired_at',
    '2026-03-01T12:01:00.000Z',
    '2026-03-01T12:00:00.000Z',
  ]);
  const atom = await open(links['alerts.atom']);
  expect(atom.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
  expect(atom.text).toContain('<feed xmlns="http://www.w3.org/2005/Atom">');
  expect(atom.text.match(/<entry>/g)).toHaveLength(2);
  expect(atom.text).not.toContain('\u0000');
  expect(atom.text).toContain('tag:getin,2026:alt_1_1');
  expect(atom.text).toContain('Knicks &#38; &#60;Lakers&#62; ]]&#62;');
});

it('shows a feed without alerts, and a calendar without events', async () => {
  const links = await linksOf();
  expect((await open(links['alerts.atom'])).text).toContain('<title>Price alerts</title>');
  expect((await open(links['events.ics'])).text).toMatch(/^BEGIN:VCALENDAR\r\n/);
  expect((await open(links['board.csv'])).text.trimEnd()).not.toContain('\n');
});

it('shows each watched event once in the calendar, at the time that is known', async () => {
  for (const n of [1, 2, 3, 4]) await watchGame(n);
  const { eventFacts } = api.stores;
  const place = { venueName: 'Madison Square Garden', venueCity: 'New York' };
  const startsAt = Date.parse('2026-05-01T23:30:00Z');
  const keep = (eventId: number, facts: object) =>
    eventFacts.keep({ eventId, name: `Game ${eventId}; home`, ...place, updatedAt: 2, ...facts });
  await keep(1, { date: '2026-05-01', time: '19:30', startsAt });
  await keep(2, { date: '2026-05-01', time: '19:30' });
  await keep(3, { date: '2026-05-01' });
  await keep(4, {});
  const { text, headers } = await open((await linksOf())['events.ics']);
  expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  const starts = text.match(/^DTSTART.*$/gm)?.map((line) => line.trim());
  expect(starts).toEqual([
    'DTSTART;VALUE=DATE:20260501',
    'DTSTART:20260501T193000',
    'DTSTART:20260501T233000Z',
  ]);
  expect(text).toContain('SUMMARY:Game 1\\; home');
  expect(text).toContain('LOCATION:Madison Square Garden\\, New York');
  expect(text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
});

it('ends with its key', async () => {
  const key = await createKey(api, api.ann.ownerId, 'read');
  const { body } = await api.call('/v1/published-links', { key });
  const path = new URL(body.data[0].url).pathname;
  expect((await open(path)).status).toBe(200);
  const apiKey = await api.stores.apiKeys.find(body.key_id);
  if (apiKey) await api.stores.apiKeys.revoke(apiKey, new Date(startMs).toISOString());
  expect((await open(path)).status).toBe(404);
});

it('opens no other view and no other key’s board than its own', async () => {
  const links = await linksOf();
  const others = await linksOf(api.bob.key);
  const board = links['board.csv'] ?? '';
  const swapped = board.replace('board.csv', 'alerts.csv');
  const [, , token = ''] = board.split('/');
  const [, , bobs = ''] = (others['board.csv'] ?? '').split('/');
  const mixed = Buffer.concat([
    Buffer.from(bobs, 'base64url').subarray(0, 16),
    Buffer.from(token, 'base64url').subarray(16),
  ]).toString('base64url');
  const odd = ['/p/x/board.csv', `/p/${token}/constructor`, `/p/${mixed}/board.csv`, swapped];
  for (const path of odd) expect((await open(path)).status).toBe(404);
});

it('counts its requests as those of its key', async () => {
  const limited = await startApi({ requestLimit: { requests: 3, windowSeconds: 60 } });
  const { body } = await limited.call('/v1/published-links');
  const path = new URL(body.data[0].url).pathname;
  const statuses = [];
  for (let n = 0; n < 3; n += 1) statuses.push((await limited.call(path, { key: '' })).status);
  expect(statuses).toEqual([200, 200, 429]);
  await limited.stop();
});
