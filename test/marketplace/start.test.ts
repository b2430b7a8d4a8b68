import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type MarketplaceOptions, PortInUseError, startMarketplace } from '#marketplace/start.ts';

const folder = mkdtempSync(join(tmpdir(), 'marketplace-start-'));
afterAll(() => rmSync(folder, { recursive: true }));

const base = { port: 0, dbFile: ':memory:' } as const;

async function open(o: Partial<MarketplaceOptions> & Pick<MarketplaceOptions, 'source'>) {
  const lines: string[] = [];
  const started = await startMarketplace({ ...base, ...o, onProgress: (line) => lines.push(line) });
  const get = async (path: string) => {
    const response = await fetch(`${started.url}${path}`, {
      headers: { 'api-key': started.keys.main },
    });
    return { status: response.status, json: await response.json() };
  };
  return { ...started, lines, get };
}

describe('startMarketplace', () => {
  it('replays a recording to its end, stamped with the time of arrival, and prints a summary', async () => {
    const file = join(folder, 'recording.csv');
    writeFileSync(
      file,
      `sh_event_id,event_name,home_team,event_date,observed_on,zone,avg_price,listings_observed
11,A at B,B,2014-11-14,2014-11-12,Low,74.80,8
11,A at B,B,2014-11-14,2014-11-13,Low,70.00,8
oops,A at B,B,2014-11-14,2014-11-13,Low,70.00,8
11,A at B,B,2014-11-14,2014-11-14,Low,60.00,8
`,
    );
    const before = Date.now();
    const market = await open({ source: { kind: 'replay', file, speed: 86_400_000 } });
    await market.finished;
    const after = Date.now();
    const { handedInAt, ...summary } = market.summary();
    expect(summary).toEqual({ snapshots: 3, skippedLines: 1 });
    expect([...(handedInAt?.keys() ?? [])]).toEqual([1_000_000_011]);
    const lastIn = handedInAt?.get(1_000_000_011) ?? 0;
    expect(market.lines).toContain('replay: line 4 skipped: sh_event_id is not an integer');
    expect(market.lines.at(-1)).toBe('replay: day 3 of 3, 3 snapshots');
    const { json: found } = await market.get('/v1/events/search?event_name=A%20at%20B');
    const [event] = (found as { data: { event_id: number; event_date: string }[] }).data;
    expect(Date.parse(event?.event_date ?? '')).toBeGreaterThan(after);
    const { json: stats } = await market.get(`/v1/events/${event?.event_id}/stats`);
    const { data } = stats as { data: { timestamp: string; avg_price: number }[] };
    expect(data.map((snapshot) => snapshot.avg_price)).toEqual([74.8, 70, 60]);
    expect(lastIn).toBeGreaterThanOrEqual(Date.parse(data.at(-1)?.timestamp ?? ''));
    for (const { timestamp } of data) {
      expect(Date.parse(timestamp)).toBeGreaterThanOrEqual(before);
      expect(Date.parse(timestamp)).toBeLessThanOrEqual(after);
    }
    await market.stop();
  });

  it('runs the simulator, even a tiny one, with no stamp ahead of the real clock at speed 1', async () => {
    const market = await open({
      source: { kind: 'simulator', seed: 1, events: 5, speed: 1, refreshSeconds: 600 },
    });
    const { json } = await market.get('/v1/events/search');
    expect((json as { data: unknown[] }).data).toHaveLength(5);
    const { json: stats } = await market.get('/v1/events/10001/stats');
    const newest = (stats as { data: { timestamp: string }[] }).data.at(-1)?.timestamp ?? '';
    expect(Date.parse(newest)).toBeLessThanOrEqual(Date.now());
    // An event may refresh between its start and this line.
    expect([240, 241]).toContain(market.summary().snapshots);
    await market.stop();
  });

  it("without a source the service has only the operator's observations", async () => {
    const market = await open({ source: { kind: 'none' } });
    expect((await market.get('/v1/events/search')).json).toEqual({
      data: [],
      has_more: false,
      next_cursor: null,
    });
    await market.finished;
    await market.stop();
  });

  it('a used port is a PortInUseError, and the database file is closed', async () => {
    const first = await open({ source: { kind: 'none' } });
    const dbFile = join(folder, 'held.sqlite');
    const port = Number(new URL(first.url).port);
    await expect(open({ port, dbFile, source: { kind: 'none' } })).rejects.toBeInstanceOf(
      PortInUseError,
    );
    const second = await open({ dbFile, source: { kind: 'none' } });
    await second.stop();
    await first.stop();
  });
});
