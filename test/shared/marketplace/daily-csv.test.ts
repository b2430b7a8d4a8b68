import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  createBench,
  hangUp,
  json,
  type Reply,
  raw,
  startFakeService,
} from '#test/support/marketplace/fake-service.ts';

const CSV_TYPE = { 'content-type': 'text/csv' };
const FILE = 'event_id,event_name\n7,"Knicks, ""the"" Nets"\n8,"two\nlines"\n';

async function open(reply: Reply, limits = {}) {
  const service = await startFakeService(reply);
  const download = await createBench(service.url, limits).client.dailyCsv({ date: '20261020' });
  return { service, download };
}

async function all<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const row of rows) list.push(row);
  return list;
}

describe('the daily CSV', () => {
  it('is requested by date', async () => {
    const { service, download } = await open(raw(FILE, 200, CSV_TYPE));
    expect(service.seen[0]).toMatchObject({
      path: '/v0.5/daily-csv/download',
      query: { date: '20261020' },
    });
    expect(download.cost).toEqual({ pulls: 0, reason: 'free' });
  });

  it('comes as rows by the names of its header', async () => {
    const { download } = await open(raw(`\uFEFF${FILE}`, 200, CSV_TYPE));
    expect(await all(download.rows())).toEqual([
      { event_id: '7', event_name: 'Knicks, "the" Nets' },
      { event_id: '8', event_name: 'two\nlines' },
    ]);
  });

  it('comes as text', async () => {
    const { download } = await open(raw(FILE, 200, CSV_TYPE));
    expect(await download.text()).toBe(FILE);
  });

  it('is decompressed', async () => {
    const headers = { ...CSV_TYPE, 'content-encoding': 'gzip' };
    const { download } = await open(raw(gzipSync(FILE), 200, headers));
    expect(await download.text()).toBe(FILE);
  });

  it('is read no further than the caller reads', async () => {
    let sentChunks = 0;
    const { download } = await open((_, response) => {
      response.writeHead(200, CSV_TYPE);
      const chunk = 'a,b\n'.repeat(16_384);
      const push = () => {
        while (sentChunks < 10_000) {
          sentChunks += 1;
          if (!response.write(chunk)) return;
        }
        response.end();
      };
      response.on('drain', push);
      push();
    });
    for await (const row of download.rows()) {
      expect(row).toEqual({ a: 'a', b: 'b' });
      break;
    }
    expect(sentChunks).toBeLessThan(1000);
  });

  it('is retried before its first byte', async () => {
    const service = await startFakeService(hangUp, raw(FILE, 200, CSV_TYPE));
    const download = await createBench(service.url).client.dailyCsv();
    expect(await download.text()).toBe(FILE);
    expect(service.seen[1]?.query).toEqual({});
  });

  it('reports a broken download', async () => {
    const { download } = await open((_, response) => {
      response.writeHead(200, { ...CSV_TYPE, 'content-length': '1000' });
      response.write(FILE, () => response.socket?.destroy());
    });
    await expect(all(download.rows())).rejects.toMatchObject({
      name: 'NetworkError',
      fault: 'lost',
    });
  });

  it('reports a stalled download', async () => {
    const { download } = await open(
      (_, response) => {
        response.writeHead(200, CSV_TYPE);
        response.write(FILE);
      },
      { requestTimeoutMs: 50 },
    );
    await expect(download.text()).rejects.toMatchObject({ name: 'NetworkError', fault: 'timeout' });
  });

  it('is bounded in size', async () => {
    const { download } = await open(raw(FILE, 200, CSV_TYPE), { maxCsvBytes: 20 });
    await expect(download.text()).rejects.toMatchObject({ name: 'ContractError' });
  });

  it('skips a row of another length, and reports its line', async () => {
    const { download } = await open(raw('a,b\n1,2,3\n4,5\n6\n7,8\n', 200, CSV_TYPE));
    const badLines: number[] = [];
    expect(await all(download.rows((line) => badLines.push(line)))).toEqual([
      { a: '4', b: '5' },
      { a: '7', b: '8' },
    ]);
    expect(badLines).toEqual([2, 4]);
  });

  it('that is a page of HTML is a ServerError', async () => {
    const service = await startFakeService(raw('<p>', 200, { 'content-type': 'text/html' }));
    const { client } = createBench(service.url, { maxRetries: 0 });
    await expect(client.dailyCsv()).rejects.toMatchObject({ name: 'ServerError' });
  });

  it.each([
    [400, raw('Cannot request future dates.', 400), 'InvalidRequestError', undefined],
    [404, json({ error: 'CSV file not found for requested date' }, 404), 'NotFoundError', 'file'],
    [503, json({ error: 'not ready' }, 503), 'ServerError', undefined],
  ])('answered with %d is the right error', async (status, reply, name, subject) => {
    const service = await startFakeService(reply);
    const { client } = createBench(service.url, { maxRetries: 0 });
    const error: unknown = await client.dailyCsv().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name, status, ...(subject ? { subject } : {}) });
  });

  it('of a malformed date is refused without a request', async () => {
    const { client } = createBench('http://127.0.0.1:1');
    await expect(client.dailyCsv({ date: '2026-10-20' })).rejects.toMatchObject({
      name: 'InvalidRequestError',
      param: 'date',
    });
  });

  it("rejects with the caller's reason when the caller aborts", async () => {
    const controller = new AbortController();
    const service = await startFakeService((_, response) => {
      response.writeHead(200, CSV_TYPE);
      response.write(FILE);
    });
    const { client } = createBench(service.url);
    const download = await client.dailyCsv({ signal: controller.signal });
    const reading = download.text();
    controller.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
  });
});
