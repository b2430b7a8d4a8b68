// The guarded client against receivers of every bad habit, on loopback.
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createGuardedPost,
  networkReason,
  RefusedAddressError,
  type ResolveName,
} from '#shared/alerts/guarded-post.ts';

const policy = { loopback: 'allowed' } as const;
const timeoutMs = 400;
const post = createGuardedPost({ policy, timeoutMs });
const target = (url: string) => ({ url, headers: { 'x-test': '1' }, body: '{}' });

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

async function listening(server: Pick<Server, 'listen' | 'address' | 'close'>): Promise<number> {
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  stops.push(() => {
    if ('closeAllConnections' in server) (server as Server).closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const receiver = async (answer: RequestListener) =>
  `http://127.0.0.1:${await listening(createServer(answer))}/hook`;

/** A receiver that speaks raw bytes. */
async function rawReceiver(onRequest: (socket: Socket) => void): Promise<string> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => onRequest(socket));
    stops.push(() => socket.destroy());
  });
  return `http://127.0.0.1:${await listening(server as never)}/hook`;
}

const failure = async (url: string) =>
  networkReason(
    await post(target(url)).then(
      () => undefined,
      (error: unknown) => error,
    ),
  );

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
    const bomb = gzipSync(Buffer.alloc(20_000_000));
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

describe('a certificate', () => {
  const folder = join(import.meta.dirname, '../../fixtures/tls');
  const cert = readFileSync(join(folder, 'cert.pem'), 'utf8');
  const key = readFileSync(join(folder, 'key.pem'), 'utf8');
  const tlsPort = () =>
    listening(createTlsServer({ cert, key }, (_, response) => response.end('secure')) as never);
  const toLoopback: ResolveName = async () => [{ address: '127.0.0.1', family: 4 }];

  it('that nobody trusts is refused', async () => {
    expect(await failure(`https://127.0.0.1:${await tlsPort()}/`)).toBe('tls_certificate');
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
