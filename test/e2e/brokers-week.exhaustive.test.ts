// A broker's week with 3,000 watches, through the API alone, on the local cloud: what takes how many requests.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { assemblyOfRun } from '#test/support/assembly-of-run.ts';
import {
  call,
  eventually,
  type LocalRun,
  startLocalRun,
  startReceiver,
} from '#test/support/local-run.ts';

const events = 300;
const watchesPerEvent = 10;
const watches = events * watchesPerEvent;
const firstEvent = 1_000;
const minuteMs = 60_000;
/** Ends what hangs. Jobs and polls share two processors with everything else. */
const longMs = 25 * minuteMs;

const folder = mkdtempSync(join(tmpdir(), 'getin-week-'));
let run: LocalRun;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
/** The requests of each step. */
const requests: Record<string, number> = {};
let step = '';
/** The broker's own key. */
let key = '';

beforeAll(async () => {
  receiver = await startReceiver();
  const assembly = await assemblyOfRun();
  run = await startLocalRun(join(folder, 'data'), ['--assembly', assembly]);
}, 10 * minuteMs);

afterAll(async () => {
  await run.end('SIGTERM');
  await receiver.stop();
  rmSync(folder, { recursive: true, force: true });
  console.table(requests);
}, 10 * minuteMs);

interface Asked {
  method?: string;
  body?: unknown;
  csv?: string;
  expected?: number;
}

/** Calls the API and counts the request. @throws unless the status is as expected */
async function ask(path: string, asked: Asked = {}) {
  const { csv, body, method = (csv ?? body) ? 'POST' : 'GET', expected = 200 } = asked;
  requests[step] = (requests[step] ?? 0) + 1;
  const send = () =>
    fetch(`${run.facts.api}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': csv === undefined ? 'application/json' : 'text/csv',
      },
      ...(method !== 'GET' && { body: csv ?? JSON.stringify(body) }),
    });
  let response = await send();
  // On a busy machine a read may take longer than the API's limit of 10 s; a person would ask again.
  const until = Date.now() + longMs;
  while (method === 'GET' && response.status === 500 && Date.now() < until) response = await send();
  const text = await response.text();
  if (response.status !== expected) throw new Error(`${path}: ${response.status} ${text}`);
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  // biome-ignore lint/suspicious/noExplicitAny: answers of any shape, walked by this test
  return { text, body: (isJson ? JSON.parse(text) : undefined) as any };
}

/** Waits for a job. Its progress is asked for, and not counted. */
async function ended(job: { id: string }) {
  const path = `${run.facts.api}/v1/jobs/${job.id}`;
  return eventually(
    `the job ${job.id}`,
    async () => {
      // biome-ignore lint/suspicious/noExplicitAny: as above
      const found = await call<any>(key, 'GET', path);
      return ['queued', 'running'].includes(found.state) ? undefined : found;
    },
    longMs,
  );
}

/** Hands the marketplace a price of each event; the first of them at `firstPrice`. */
async function observe(firstPrice: number): Promise<void> {
  const ids = Array.from({ length: events }, (_, index) => firstEvent + index);
  await call(run.facts.operator_key, 'POST', `${run.facts.marketplace}/operator/observations`, {
    events: ids.map((id) => ({
      event_id: id,
      sh_event_id: 9_000_000 + id,
      event_name: `New York Knicks, game ${id}`,
      event_date: new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10),
      venue: {
        ...{ std_venue_id: 1, venue_name: 'Madison Square Garden' },
        ...{ venue_city: 'New York', venue_state: 'NY' },
      },
    })),
    listing_sets: ids.map((id) => {
      const price = id === firstEvent ? firstPrice : 200;
      const seat = { zone: 'Lower', section: '101', quantity: 2 };
      return {
        event_id: id,
        listings: [
          { listing_id: id * 10, ...seat, row: 'A', price },
          { listing_id: id * 10 + 1, ...seat, row: 'B', price: 300 },
        ],
      };
    }),
  });
}

/**
 * Each event at ten levels, from $100 down to $91. Only the first event, whose alerts are awaited, is polled by the
 * minute: polling all of them takes a whole processor, which the requests need.
 */
function fileOf(channel: string): string {
  const rows = Array.from({ length: watches }, (_, index) => {
    const id = firstEvent + Math.floor(index / watchesPerEvent);
    const level = 100 - (index % watchesPerEvent);
    const latencySeconds = id === firstEvent ? 60 : 3_600;
    return `${id},${level},${channel},season,${latencySeconds}`;
  });
  return ['event_id,at_or_below,channels,tags,latency_seconds', ...rows].join('\n');
}

it(
  'is imported, looked at, changed, explained, counted and deleted',
  async () => {
    step = 'prepare';
    await observe(200);
    key = run.facts.api_key;
    const owner = (await ask('/v1/owners', { body: { name: 'broker' }, expected: 201 })).body;
    const made = { owner_id: owner.id, name: 'desk', scope: 'write' };
    key = (await ask('/v1/keys', { body: made, expected: 201 })).body.key;
    await ask('/v1/channels', {
      body: { kind: 'webhook', name: 'desk', url: receiver.url },
      expected: 201,
    });
    await eventually(
      'the catalog',
      async () => ((await ask('/v1/events?query=knicks')).body.data.length > 0 ? true : undefined),
      2 * minuteMs,
    );

    step = 'import';
    const file = fileOf('desk');
    const begun = await ask('/v1/watchlist/import', { csv: file, expected: 202 });
    expect(await ended(begun.body)).toMatchObject({ state: 'done', counts: { created: watches } });
    const again = await ask('/v1/watchlist/import', { csv: file, expected: 202 });
    expect((await ended(again.body)).counts).toEqual({ already_there: watches });

    step = 'look';
    const rows = [];
    let after = '';
    do {
      const { body } = await ask(`/v1/watches?include=standing&limit=1000&sort=date${after}`);
      rows.push(...body.data);
      after = body.has_more ? `&starting_after=${encodeURIComponent(body.next_cursor)}` : '';
    } while (after !== '');
    expect(rows).toHaveLength(watches);
    expect(rows[0].event_name).toMatch(/Knicks/);

    step = 'round trip';
    const exported = (await ask('/v1/watchlist/export?format=csv')).text;
    const changed = exported.replace(/^(wat_[^\n]*?,)91(,)/m, '$190$2');
    expect(changed).not.toBe(exported);
    const edited = await ask('/v1/watchlist/import', { csv: changed, expected: 202 });
    expect((await ended(edited.body)).counts).toEqual({ updated: 1, unchanged: watches - 1 });

    step = 'bulk change';
    const action = { type: 'change_level', by_percent: -2 };
    const change = { filter: { tag: 'season' }, action };
    const dry = await ask('/v1/watches/bulk', {
      body: { ...change, dry_run: true },
      expected: 202,
    });
    expect(await ended(dry.body)).toMatchObject({ state: 'done', is_dry_run: true, done: watches });
    const bulk = await ask('/v1/watches/bulk', { body: change, expected: 202 });
    expect((await ended(bulk.body)).counts).toEqual({ changed: watches });
    const undone = await ask(`/v1/watches/bulk/${bulk.body.id}/undo`, {
      method: 'POST',
      expected: 202,
    });
    expect((await ended(undone.body)).counts).toEqual({ changed: watches });
    const versions = (await ask(`/v1/watches/${rows[0].id}/versions`)).body.data;
    expect(versions.length).toBeGreaterThanOrEqual(3);

    step = 'alert';
    await observe(95);
    await eventually(
      'the alerts of the first event',
      async () => {
        const { body } = await ask(`/v1/alerts?event_id=${firstEvent}&limit=100`);
        return body.data.length >= 6 ? true : undefined;
      },
      longMs,
    );

    step = 'explain';
    const fired = rows.find(({ event_id: id }) => id === firstEvent);
    const looks = (await ask(`/v1/watches/${fired.id}/explain`)).body;
    expect(looks.data.length).toBeGreaterThan(0);

    step = 'costs';
    // No call from before the last minute is still under way.
    const range = `to=${new Date(Date.now() - minuteMs).toISOString()}`;
    const byDay = (await ask(`/v1/budget/usage?by=day&${range}`)).body;
    const byWatch = (await ask(`/v1/budget/usage?by=watch&limit=100&${range}`)).body;
    expect(byDay.total.pulls).toBeGreaterThan(0);
    expect(byWatch.total).toEqual(byDay.total);

    step = 'delete everything';
    const deletion = await ask('/v1/owner', {
      method: 'DELETE',
      body: { confirm: 'broker' },
      expected: 202,
    });
    const over = await eventually(
      'the deletion',
      async () => {
        const path = `${run.facts.api}/v1/deletions/${deletion.body.id}`;
        const found = (await (await fetch(path)).json()) as { state: string };
        return ['queued', 'running'].includes(found.state) ? undefined : found;
      },
      longMs,
    );
    expect(over).toMatchObject({ state: 'done', deleted: { watch: watches } });
    await ask('/v1/watches', { expected: 401 });
    key = run.facts.api_key;
    await ask(`/v1/owners/${owner.id}`, { expected: 404 });

    const { prepare: _prepare, alert: _alert, ...counted } = requests;
    expect(counted).toEqual({
      ...{ import: 2, look: watches / 1_000, 'round trip': 2, 'bulk change': 4 },
      ...{ explain: 1, costs: 2, 'delete everything': 3 },
    });
  },
  60 * minuteMs,
);
