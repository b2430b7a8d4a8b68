// Whom the guarded client connects to: certificates, names and their addresses, connections kept.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createGuardedPost,
  DeadlineError,
  networkReason,
  RefusedAddressError,
  type ResolveName,
} from '#shared/alerts/outbound/guarded-post.ts';
import {
  failure,
  listening,
  policy,
  post,
  rawReceiver,
  receiver,
  stopReceivers,
  stops,
  target,
  timeoutMs,
} from '#test/support/hostile-receivers.ts';

afterEach(stopReceivers);

describe('a certificate', () => {
  const folder = join(import.meta.dirname, '../../../fixtures/tls');
  const cert = readFileSync(join(folder, 'cert.pem'), 'utf8');
  const key = readFileSync(join(folder, 'key.pem'), 'utf8');
  const tlsPort = () =>
    listening(createTlsServer({ cert, key }, (_, response) => response.end('secure')) as never);
  const toLoopback: ResolveName = async () => [{ address: '127.0.0.1', family: 4 }];

  it('that nobody trusts is refused', async () => {
    expect(await failure(`https://127.0.0.1:${await tlsPort()}/`)).toBe('tls_certificate');
  });

  it('of the host’s name lets the message through, and its connection serves that name alone', async () => {
    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, cert]);
    const asked: string[] = [];
    // A loopback address of its own, since the guard lets names have few ports.
    const address = '127.84.43.1';
    const server = createTlsServer({ cert, key }, (request, response) => {
      const { servername } = request.socket as TLSSocket & { servername: string };
      asked.push(`${servername} ${request.headers.host}`);
      response.end('secure');
    });
    await new Promise<void>((settle) => server.listen(8443, address, settle));
    stops.push(() => server.close());
    stops.push(() => server.closeAllConnections());
    try {
      const pinned = createGuardedPost({
        policy,
        timeoutMs: 2_000,
        resolve: async () => [{ address, family: 4 }],
      });
      const byName = (name: string) => pinned(target(`https://${name}:8443/`));
      expect((await byName('receiver.example')).excerpt).toBe('secure');
      const error = await byName('other.example').catch((e: unknown) => e);
      expect(error).toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
      expect((await byName('receiver.example')).excerpt).toBe('secure');
      expect(asked).toEqual(Array(2).fill('receiver.example receiver.example:8443'));
    } finally {
      setDefaultCACertificates(trusted);
    }
  });

  it('is checked against the host’s name although the connection is pinned to an address', async () => {
    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, cert]);
    try {
      const port = await tlsPort();
      const pinned = createGuardedPost({ policy, timeoutMs, resolve: toLoopback });
      const byName = (name: string) => pinned(target(`https://${name}:${port}/`));
      // The port rule holds for public names; a loopback name may have any port in a local run.
      await expect(byName('receiver.example')).rejects.toThrow(RefusedAddressError);
      const error = await byName('localhost').catch((e: unknown) => e);
      expect(error).toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
    } finally {
      setDefaultCACertificates(trusted);
    }
  });
});

describe('a name', () => {
  const answers = (...lists: { address: string; family: number }[][]) => {
    const asked: string[] = [];
    const resolve: ResolveName = async (hostname) => {
      asked.push(hostname);
      return lists[Math.min(asked.length, lists.length) - 1] ?? [];
    };
    return { asked, resolve };
  };
  const refusal = (resolve: ResolveName, cloud = { loopback: 'refused' } as const) =>
    createGuardedPost({ policy: cloud, timeoutMs, resolve })(target('https://hook.example/')).catch(
      (error: unknown) => error,
    );

  it.each([
    ['metadata', [{ address: '169.254.169.254', family: 4 }]],
    ['loopback', [{ address: '127.0.0.1', family: 4 }]],
    ['a mapped private address', [{ address: '::ffff:10.0.0.1', family: 6 }]],
    [
      'a public and a private address',
      [
        { address: '8.8.8.8', family: 4 },
        { address: '::1', family: 6 },
      ],
    ],
    ['nothing', []],
  ])('that resolves to %s is refused', async (_, addresses) => {
    expect(await refusal(answers(addresses).resolve)).toMatchObject({
      name: 'RefusedAddressError',
      reason: 'address_not_public',
    });
  });

  it('is resolved once, and the connection goes to what was checked', async () => {
    const seen: string[] = [];
    const port = await listening(
      createServer((request, response) => {
        seen.push(request.headers.host ?? '');
        response.end('ok');
      }),
    );
    const flipping = answers(
      [{ address: '127.0.0.1', family: 4 }],
      [{ address: '169.254.169.254', family: 4 }],
    );
    const pinned = createGuardedPost({ policy, timeoutMs, resolve: flipping.resolve });
    expect((await pinned(target(`http://localhost:${port}/`))).status).toBe(200);
    expect(flipping.asked).toEqual(['localhost']);
    expect(seen).toEqual([`localhost:${port}`]);
  });
});

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
    const { seen, port } = await counting((socket) => setTimeout(() => socket.write(ok('y')), 50));
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

  it('that was closed just as it was used again is replaced, once, without anybody noticing', async () => {
    const { seen, port } = await counting((socket, request, connection) => {
      if (request === 2 && connection === 1) socket.destroy();
      else socket.write(ok('yes'));
    });
    const guarded = posting();
    const url = `http://127.0.0.1:${port}/`;
    await guarded(target(url));
    expect((await guarded(target(url))).status).toBe(200);
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

describe('a name that many ask for at once', () => {
  it('is resolved for all of them together, and afresh for who comes later', async () => {
    const url = await receiver((_, response) => response.end('ok'));
    let asked = 0;
    const guarded = createGuardedPost({
      policy,
      timeoutMs,
      resolve: async () => {
        asked += 1;
        return [{ address: '127.0.0.1', family: 4 }];
      },
    });
    const byName = target(url.replace('127.0.0.1', 'localhost'));
    await Promise.all([guarded(byName), guarded(byName), guarded(byName)]);
    expect(asked).toBe(1);
    await guarded(byName);
    expect(asked).toBe(2);
  });

  it('and never resolves is asked for again after the deadline', async () => {
    const url = await receiver((_, response) => response.end('ok'));
    let asked = 0;
    const guarded = createGuardedPost({
      policy,
      timeoutMs,
      resolve: () => {
        asked += 1;
        if (asked === 1) return new Promise(() => {});
        return Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
      },
    });
    const byName = target(url.replace('127.0.0.1', 'localhost'));
    await expect(guarded(byName)).rejects.toThrow(DeadlineError);
    expect((await guarded(byName)).status).toBe(200);
  });
});

it('one dead receiver holds up none of the others in a batch', async () => {
  const dead = await rawReceiver(() => {});
  const healthy = await receiver((_, response) => response.end('ok'));
  const order: string[] = [];
  await Promise.all([
    post(target(dead)).catch(() => order.push('dead')),
    ...Array.from({ length: 6 }, () => post(target(healthy)).then(() => order.push('healthy'))),
  ]);
  expect(order).toEqual([...Array(6).fill('healthy'), 'dead']);
});
