// Whom the guarded client connects to: certificates, names and their addresses.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createGuardedPost,
  DeadlineError,
  RefusedAddressError,
  type ResolveName,
} from '#shared/delivery/outbound/guarded-post.ts';
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
