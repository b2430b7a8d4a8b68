// Which connections of the guarded client are used again, and what becomes of those that fail.
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createGuardedPost,
  networkReason,
  type ResolveName,
} from '#shared/delivery/outbound/guarded-post.ts';
import {
  listening,
  policy,
  stopReceivers,
  stops,
  target,
  timeoutMs,
} from '#test/support/hostile-receivers.ts';

afterEach(stopReceivers);

describe('a connection', () => {
  /** Answers each request on each connection as told; counts both. */
  async function counting(
    onRequest: (socket: Socket, request: number, connection: number) => void,
    host = '127.0.0.1',
    port = 0,
  ) {
    const seen = { connections: 0, requests: 0, bodies: [] as string[] };
    const server = createTcpServer((socket) => {
      seen.connections += 1;
      const connection = seen.connections;
      let request = 0;
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        seen.requests += 1;
        request += 1;
        seen.bodies.push(String(chunk).split('\r\n\r\n')[1] ?? '');
        onRequest(socket, request, connection);
      });
      stops.push(() => socket.destroy());
    });
    await new Promise<void>((settle) => server.listen(port, host, settle));
    stops.push(() => server.close());
    return { seen, port: (server.address() as AddressInfo).port };
  }
  const ok = (text: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
  const posting = (resolve?: ResolveName) =>
    createGuardedPost({ policy, timeoutMs, ...(resolve && { resolve }) });

  it('is kept for the next message to the same receiver', async () => {
    const { seen, port } = await counting((socket) => socket.write(ok('yes')));
    const guarded = posting();
    for (let times = 0; times < 3; times += 1) {
      expect((await guarded(target(`http://127.0.0.1:${port}/a`))).excerpt).toBe('yes');
    }
    expect(seen).toMatchObject({ connections: 1, requests: 3 });
  });

  it('carries one message at a time', async () => {
    const asking: Socket[] = [];
    const { seen, port } = await counting((socket) => {
      asking.push(socket);
      if (asking.length === 3) for (const each of asking) each.write(ok('y'));
    });
    const guarded = posting();
    const url = `http://127.0.0.1:${port}/a`;
    await Promise.all([guarded(target(url)), guarded(target(url)), guarded(target(url))]);
    expect(seen).toMatchObject({ connections: 3, requests: 3 });
  });

  it('is not used again when the name leads elsewhere by now, nor asked for its old address', async () => {
    const first = await counting((socket) => socket.write(ok('first')));
    const second = await counting((socket) => socket.write(ok('second')), '127.0.0.2', first.port);
    const lists = ['127.0.0.1', '127.0.0.2', '127.0.0.1'];
    const guarded = posting(async () => [{ address: lists.shift() ?? '', family: 4 }]);
    const excerpts: string[] = [];
    for (let times = 0; times < 3; times += 1) {
      excerpts.push((await guarded(target(`http://localhost:${first.port}/`))).excerpt);
    }
    expect(excerpts).toEqual(['first', 'second', 'first']);
    expect(first.seen.connections).toBe(1);
    expect(second.seen.connections).toBe(1);
  });

  it('is not used again when the name has become private: nothing more is sent', async () => {
    const { seen, port } = await counting((socket) => socket.write(ok('yes')));
    const lists = ['127.0.0.1', '10.0.0.1'];
    const guarded = posting(async () => [{ address: lists.shift() ?? '', family: 4 }]);
    await guarded(target(`http://localhost:${port}/`));
    await expect(guarded(target(`http://localhost:${port}/`))).rejects.toMatchObject({
      reason: 'address_not_public',
    });
    expect(seen.requests).toBe(1);
  });

  it('that was closed just as it was used again is replaced, once, and the answer says so', async () => {
    const { seen, port } = await counting((socket, request, connection) => {
      if (request === 2 && connection === 1) socket.destroy();
      else socket.write(ok('yes'));
    });
    const guarded = posting();
    const url = `http://127.0.0.1:${port}/`;
    expect((await guarded(target(url))).isSecond).toBeUndefined();
    expect(await guarded(target(url))).toMatchObject({ status: 200, isSecond: true });
    expect(seen).toMatchObject({ connections: 2, requests: 3, bodies: ['{}', '{}', '{}'] });
  });

  it('that is closed as soon as it is used, again and again, is a failure after one more try', async () => {
    const { seen, port } = await counting((socket, request, connection) => {
      if (request === 1 && connection === 1) socket.write(ok('yes'));
      else socket.destroy();
    });
    const guarded = posting();
    const url = `http://127.0.0.1:${port}/`;
    await guarded(target(url));
    const error = await guarded(target(url)).catch((e: unknown) => e);
    expect(networkReason(error)).toBe('connection_closed');
    expect(seen.requests).toBe(3);
  });

  it('that is new and closed without an answer is not tried again at once', async () => {
    const { seen, port } = await counting((socket) => socket.destroy());
    await expect(posting()(target(`http://127.0.0.1:${port}/`))).rejects.toThrow();
    expect(seen.requests).toBe(1);
  });

  it('that its receiver closed meanwhile is opened anew', async () => {
    const closed: Promise<void>[] = [];
    const { seen, port } = await counting((socket) => {
      closed.push(new Promise((settle) => socket.on('close', () => settle())));
      socket.end(ok('yes'));
    });
    const guarded = posting();
    const url = `http://127.0.0.1:${port}/`;
    await guarded(target(url));
    await Promise.all(closed);
    expect((await guarded(target(url))).excerpt).toBe('yes');
    expect(seen).toMatchObject({ connections: 2, requests: 2 });
  });

  it('on which more came than was asked for answers nobody else', async () => {
    const { port } = await counting((socket) => socket.write(`${ok('mine')}${ok('smuggled')}`));
    const guarded = posting();
    const url = `http://127.0.0.1:${port}/`;
    expect((await guarded(target(url))).excerpt).toBe('mine');
    expect((await guarded(target(url))).excerpt).toBe('mine');
  });

  it('on which more came while it was idle is not used again', async () => {
    const open: Socket[] = [];
    const { seen, port } = await counting((socket, request, connection) => {
      open.push(socket);
      socket.write(ok(`${connection}.${request}`));
    });
    const other = await counting((socket) => socket.write(ok('other')));
    const guarded = posting();
    const url = `http://127.0.0.1:${port}/`;
    expect((await guarded(target(url))).excerpt).toBe('1.1');
    await new Promise<void>((settle) => open[0]?.write(ok('smuggled'), () => settle()));
    // These bytes came before those of an answer that is asked for now.
    await guarded(target(`http://127.0.0.1:${other.port}/`));
    expect((await guarded(target(url))).excerpt).toBe('2.1');
    expect(seen.connections).toBe(2);
  });

  it('that answered endlessly is closed, and not used again', async () => {
    const { seen, port } = await counting((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n${'x'.repeat(100_000)}`),
    );
    const guarded = posting();
    const url = `http://127.0.0.1:${port}/`;
    expect((await guarded(target(url))).excerpt).toHaveLength(65_536);
    expect((await guarded(target(url))).excerpt).toHaveLength(65_536);
    expect(seen).toMatchObject({ connections: 2, requests: 2 });
  });

  it('to none of a name’s addresses fails in time', async () => {
    const server = createServer();
    const port = await listening(server);
    await new Promise((settle) => server.close(settle));
    const guarded = posting(async () => [
      { address: '127.0.0.1', family: 4 },
      { address: '127.0.0.2', family: 4 },
    ]);
    const error = await guarded(target(`http://localhost:${port}/`)).catch((e: unknown) => e);
    expect(networkReason(error)).toBe('connection_refused');
  });

  it('goes to the address that answers, where another of the name’s does not', async () => {
    const { seen, port } = await counting((socket) => socket.write(ok('yes')), '127.0.0.2');
    const guarded = posting(async () => [
      { address: '127.0.0.1', family: 4 },
      { address: '127.0.0.2', family: 4 },
    ]);
    expect((await guarded(target(`http://localhost:${port}/`))).excerpt).toBe('yes');
    expect(seen.connections).toBe(1);
  });
});
