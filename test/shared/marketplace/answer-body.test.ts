import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  aStatsPage,
  createBench,
  json,
  type Reply,
  raw,
  startFakeService,
} from '#test/support/marketplace/fake-service.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const PAGE = JSON.stringify(aStatsPage([]));
const MEBIBYTE = 1024 * 1024;

async function readPage(reply: Reply, limits = {}) {
  const service = await startFakeService(reply);
  return createBench(service.url, { maxRetries: 0, ...limits }).client.statsPage(7);
}

/** Streams a gibibyte of the same chunk, as fast as the client reads, until it disconnects. */
function aGibibyte(headers: Record<string, string>, onSent: (bytes: number) => void): Reply {
  return (_, response) => {
    const chunk = Buffer.alloc(MEBIBYTE, ' ');
    let sent = 0;
    const push = () => {
      while (sent < 1024 * MEBIBYTE) {
        sent += MEBIBYTE;
        onSent(sent);
        if (!response.write(chunk)) return;
      }
      response.end();
    };
    response.on('drain', push);
    response.on('error', () => undefined);
    response.writeHead(200, { ...JSON_TYPE, ...headers });
    push();
  };
}

describe('a compressed answer', () => {
  it('is read when the header announces it', async () => {
    const headers = { ...JSON_TYPE, 'content-encoding': 'gzip' };
    await expect(readPage(raw(gzipSync(PAGE), 200, headers))).resolves.toMatchObject({ data: [] });
  });

  it('is recognized without a header', async () => {
    await expect(readPage(raw(gzipSync(PAGE), 200, JSON_TYPE))).resolves.toMatchObject({
      data: [],
    });
  });

  it('cannot be read when its gzip is truncated', async () => {
    const cut = gzipSync(PAGE).subarray(0, 40);
    const headers = { ...JSON_TYPE, 'content-encoding': 'gzip' };
    await expect(readPage(raw(cut, 200, headers))).rejects.toMatchObject({
      name: 'ServerError',
      status: 200,
    });
  });

  it.each([
    ['announced', { ...JSON_TYPE, 'content-encoding': 'gzip' }],
    ['unannounced', JSON_TYPE],
  ])('is bounded by its unpacked size when %s', async (_, headers) => {
    const bomb = gzipSync(Buffer.alloc(20 * MEBIBYTE, ' '));
    const call = readPage(raw(bomb, 200, headers), { maxResponseBytes: MEBIBYTE });
    await expect(call).rejects.toMatchObject({ name: 'ContractError', path: '' });
  });
});

describe('a huge answer', () => {
  it('of announced length is refused before it is read', async () => {
    const headers = { 'content-length': String(1024 * MEBIBYTE) };
    await expect(readPage(aGibibyte(headers, () => undefined))).rejects.toMatchObject({
      name: 'ContractError',
      message: 'GET /v1/events/{event_id}/stats: the body has 1073741824 bytes, more than 33554432',
    });
  });

  it('of unknown length is aborted at the bound', async () => {
    let sentBytes = 0;
    const reply = aGibibyte({}, (bytes) => {
      sentBytes = bytes;
    });
    await expect(readPage(reply, { maxResponseBytes: 4 * MEBIBYTE })).rejects.toMatchObject({
      name: 'ContractError',
    });
    expect(sentBytes).toBeLessThan(256 * MEBIBYTE);
  });

  it('of a failed call is left unread', async () => {
    const page = 'x'.repeat(2 * MEBIBYTE);
    await expect(readPage(raw(page, 502))).rejects.toMatchObject({
      name: 'ServerError',
      status: 502,
      bodyExcerpt: '',
    });
  });
});

describe('a broken answer', () => {
  it('that is shorter than announced is a lost connection', async () => {
    const reply: Reply = (_, response) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-length': '500' });
      response.write(PAGE.slice(0, 20), () => response.socket?.destroy());
    };
    await expect(readPage(reply)).rejects.toMatchObject({ name: 'NetworkError', fault: 'lost' });
  });

  it('that stalls is a timeout', async () => {
    const reply: Reply = (_, response) => {
      response.writeHead(200, JSON_TYPE);
      response.write('{');
    };
    await expect(readPage(reply, { requestTimeoutMs: 40 })).rejects.toMatchObject({
      name: 'NetworkError',
      fault: 'timeout',
      possiblePulls: 1,
    });
  });

  it('that arrives byte by byte is a timeout too', async () => {
    const reply: Reply = (_, response) => {
      response.writeHead(200, JSON_TYPE);
      const drip = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(drip));
    };
    await expect(readPage(reply, { requestTimeoutMs: 60 })).rejects.toMatchObject({
      name: 'NetworkError',
      fault: 'timeout',
    });
  });
});

describe('the content type', () => {
  it.each([
    'application/json; charset=utf-8',
    'application/problem+json',
    'text/plain',
    'application/octet-stream',
  ])('%s is read as JSON', async (type) => {
    await expect(readPage(raw(PAGE, 200, { 'content-type': type }))).resolves.toMatchObject({
      data: [],
    });
  });

  it('may be missing', async () => {
    await expect(readPage(raw(PAGE, 200, {}))).resolves.toMatchObject({ data: [] });
  });

  it('of XML is refused', async () => {
    const call = readPage(raw(PAGE, 200, { 'content-type': 'application/xml' }));
    await expect(call).rejects.toMatchObject({ name: 'ServerError' });
  });
});

it('reuses connections', async () => {
  const ports = new Set<number | undefined>();
  const service = await startFakeService((request, response) => {
    ports.add(response.socket?.remotePort);
    return json(aStatsPage([]))(request, response);
  });
  const { client } = createBench(service.url);
  for (let call = 0; call < 10; call += 1) await client.statsPage(7);
  expect(service.seen).toHaveLength(10);
  expect(ports.size).toBeLessThanOrEqual(2);
});
