// What the guarded client makes of answers, of none, and of failures.
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { createGuardedPost, networkReason } from '#shared/delivery/outbound/guarded-post.ts';
import {
  failure,
  listening,
  policy,
  post,
  rawReceiver,
  receiver,
  stopReceivers,
  target,
  timeoutMs,
} from '#test/support/hostile-receivers.ts';

afterEach(stopReceivers);

describe('an answer', () => {
  it('comes with its status, headers and the start of its body', async () => {
    const seen: string[] = [];
    const url = await receiver((request, response) => {
      request.on('data', (chunk) => seen.push(String(chunk)));
      request.on('end', () => response.writeHead(202, { 'retry-after': '7' }).end('taken'));
    });
    expect(await post(target(url))).toMatchObject({
      status: 202,
      headers: { 'retry-after': '7' },
      excerpt: 'taken',
    });
    expect(seen).toEqual(['{}']);
  });

  it('comes to a request with another method than POST', async () => {
    const methods: string[] = [];
    const url = await receiver((request, response) => {
      methods.push(request.method ?? '');
      request.resume().on('end', () => response.end());
    });
    await post(target(url));
    await post({ ...target(url), method: 'PATCH' });
    expect(methods).toEqual(['POST', 'PATCH']);
  });

  it('is the one after those that only say that it is coming', async () => {
    const url = await rawReceiver((socket) =>
      socket.write(
        'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 202 Accepted\r\ncontent-length: 2\r\n\r\nok',
      ),
    );
    expect(await post(target(url))).toMatchObject({ status: 202, excerpt: 'ok' });
  });

  it('is the one after an unexpected 100', async () => {
    const url = await rawReceiver((socket) =>
      socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'),
    );
    expect(await post(target(url))).toMatchObject({ status: 200, excerpt: 'ok' });
  });

  it('may have far more headers than Node reads by default', async () => {
    const url = await rawReceiver((socket) => {
      const lines = Array.from({ length: 500 }, (_, line) => `x-${line}: ${'y'.repeat(100)}\r\n`);
      socket.write(`HTTP/1.1 200 OK\r\n${lines.join('')}content-length: 2\r\n\r\nok`);
    });
    expect(await post(target(url))).toMatchObject({ status: 200, excerpt: 'ok' });
  });

  it('that changes the protocol is a failure', async () => {
    const url = await rawReceiver((socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    );
    expect(await failure(url)).toBe('network_error');
  });

  it('that is no HTTP is a failure', async () => {
    expect(await failure(await rawReceiver((socket) => socket.write('SSH-2.0-x\r\n')))).toBe(
      'network_error',
    );
  });

  it('with headers without end is a failure', async () => {
    const url = await rawReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      for (let line = 0; line < 1_000; line += 1) socket.write(`x-${line}: ${'y'.repeat(100)}\r\n`);
    });
    expect(await failure(url)).toBe('network_error');
  });

  it('that breaks off counts by its status line, with what came of its body', async () => {
    const url = await rawReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc', () => socket.destroy());
    });
    expect(await post(target(url))).toMatchObject({ status: 200, excerpt: 'abc' });
  });

  it.each([301, 302, 303, 307, 308])('of %i is not followed', async (status) => {
    const second: string[] = [];
    const other = await receiver((request, response) => {
      second.push(request.url ?? '');
      response.end();
    });
    const url = await receiver((_, response) =>
      response.writeHead(status, { location: other }).end(),
    );
    expect((await post(target(url))).status).toBe(status);
    expect(second).toEqual([]);
  });

  it('is read to 64 KB at the most, however much comes', async () => {
    let written = 0;
    const url = await receiver((_, response) => {
      response.on('error', () => {});
      const pour = () => {
        while (!response.destroyed && written < 300_000_000) {
          written += 65_536;
          if (!response.write(Buffer.alloc(65_536, 'x'))) break;
        }
      };
      response.on('drain', pour);
      pour();
    });
    const { status, excerpt } = await post(target(url));
    expect(status).toBe(200);
    expect(excerpt).toHaveLength(64 * 1024);
    expect(written).toBeLessThan(20_000_000);
  });

  it('is not unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(2_000_000));
    const url = await receiver((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    expect((await post(target(url))).excerpt.length).toBeLessThanOrEqual(64 * 1024);
  });

  it('of bytes that are no text becomes well-formed text', async () => {
    const url = await receiver((_, response) =>
      response.end(Buffer.from([0xff, 0xfe, 0x41, 0xc3])),
    );
    const { excerpt } = await post(target(url));
    expect(excerpt.isWellFormed()).toBe(true);
    expect(excerpt).toContain('A');
  });
});

describe('a receiver that takes its time', () => {
  it('counts by its status line when the body drips for ever', async () => {
    const url = await receiver((_, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(drip));
    });
    expect((await post(target(url))).status).toBe(200);
  });

  it('counts by its status line when it answers and never closes', async () => {
    const url = await rawReceiver((socket) =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'),
    );
    expect(await post(target(url))).toMatchObject({ status: 200, excerpt: 'abc' });
  });

  it('times out when it never answers', async () => {
    expect(await failure(await rawReceiver(() => {}))).toBe('timeout');
  });

  it('times out when its headers drip', async () => {
    const url = await rawReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    expect(await failure(url)).toBe('timeout');
  });

  it('times out when its name never resolves', async () => {
    const slow = createGuardedPost({ policy, timeoutMs, resolve: () => new Promise(() => {}) });
    const error = await slow(target('https://slow.example/')).catch((e: unknown) => e);
    expect(networkReason(error)).toBe('timeout');
  });
});

describe('a receiver that fails', () => {
  it('closes early', async () => {
    expect(await failure(await rawReceiver((socket) => socket.destroy()))).toBe(
      'connection_closed',
    );
  });

  it('is not there', async () => {
    const server = createServer();
    const port = await listening(server);
    await new Promise((settle) => server.close(settle));
    expect(await failure(`http://127.0.0.1:${port}/`)).toBe('connection_refused');
  });

  it.each([
    ['ENOTFOUND', 'name_not_found'],
    ['EAI_AGAIN', 'name_not_resolved'],
    ['ECONNREFUSED', 'connection_refused'],
    ['ETIMEDOUT', 'timeout'],
    ['CERT_HAS_EXPIRED', 'tls_certificate'],
    ['SOMETHING_NEW', 'network_error'],
  ])('has a reason for %s', (code, reason) => {
    expect(networkReason(Object.assign(new Error('x'), { code }))).toBe(reason);
    const wrapped = new Error('outer', { cause: Object.assign(new Error('x'), { code }) });
    expect(networkReason(wrapped)).toBe(reason);
  });
});
