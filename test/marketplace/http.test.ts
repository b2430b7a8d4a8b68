import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { routes } from '#marketplace/routes/routes.ts';
import { startMarketplace } from '#marketplace/start.ts';
import { aListing, minuteMs, openMarket, start } from './support/market.ts';

function marketWithSale() {
  const market = openMarket();
  market.list([aListing(1), aListing(2)]);
  market.pass(minuteMs);
  market.sell({ listing_id: 1 });
  return market;
}

/** Every path of the document, with values for its parameters. */
const paths = [...new Set(routes.map(({ operation }) => operation.path))].map((template) => ({
  template,
  path: template
    .replace('{event_id}', '1')
    .replace('{source}', 'sh')
    .replace('{job_id}', '3f2c8b1e-0000-4000-8000-000000000000'),
  methods: routes
    .filter(({ operation }) => operation.path === template)
    .map(({ operation }) => operation.method.toUpperCase()),
}));

describe('HEAD', () => {
  it.each([
    '/v1/events/1/sales',
    '/v1/events/1/listings',
    '/v1/events/1/stats',
    '/v0.3/salesdata/get?event_id=1',
    '/v0.1.1/listings/get?event_id=1',
  ])('of %s is free, marks nothing as paid, and answers with the headers of GET', async (path) => {
    const market = marketWithSale();
    const head = await market.ask(path, { method: 'HEAD' }, market.keys.lowBalance);
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers.get('content-type')).toBe('application/json');
    expect(market.balance('lowBalance')).toBe(5);
    await market.get(path, market.keys.lowBalance);
    expect(market.balance('lowBalance')).toBe(4);
  });

  it('of the daily CSV does not count as a download', async () => {
    const market = openMarket();
    await market.ask('/v0.5/daily-csv/download', { method: 'HEAD' });
    const { totals } = (await market.get('/v1/usage')).json;
    expect(totals.daily_csv_downloads).toBe(0);
  });

  it('is refused as GET is', async () => {
    const market = marketWithSale();
    const head = await market.ask('/v1/events/1/sales', { method: 'HEAD' }, market.keys.frozen);
    expect(head.status).toBe(402);
  });
});

describe('another method', () => {
  it.each(paths)('on $template is 405 with Allow', async ({ path, methods }) => {
    const market = openMarket();
    const allow = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      if (methods.includes(method)) continue;
      for (const prefix of ['', '/api']) {
        const reply = await market.ask(`${prefix}${path}`, { method });
        expect(reply.status, method).toBe(405);
        expect(reply.headers.get('allow')).toBe(allow.join(', '));
      }
    }
  });

  it('is answered in the error style of the route', async () => {
    const market = openMarket();
    expect(await market.ask('/v1/account', { method: 'POST' })).toMatchObject({
      json: { error: { type: 'invalid_request', code: 'method_not_allowed' } },
    });
    const legacy = await market.ask('/v0.3/salesdata/get', { method: 'DELETE' });
    expect(legacy.text).toBe('this path does not take this method; see Allow');
    expect((await market.ask('/openapi.json', { method: 'POST' })).status).toBe(405);
  });

  it('on a path whose event id is no integer stays a plain 404 page', async () => {
    const reply = await openMarket().ask('/v1/events/abc/sales', { method: 'DELETE' });
    expect(reply.status).toBe(404);
    expect(reply.headers.get('content-type')).toMatch('text/html');
  });
});

describe('a body over the bound', () => {
  const body = JSON.stringify({ event_ids: ['1'.repeat(1_100_000)] });

  it.each([
    ['announced', { 'content-length': String(body.length) }],
    ['found out', {}],
  ])('%s is 413 with Connection: close, and free', async (_, headers) => {
    const market = openMarket();
    const reply = await market.ask('/v1/events/sales/batch', { method: 'POST', body, headers });
    expect(reply).toMatchObject({
      status: 413,
      json: { error: { type: 'invalid_request', code: 'body_too_large', param: 'body' } },
    });
    expect(reply.headers.get('connection')).toBe('close');
  });

  it('is plain text on a legacy route', async () => {
    const reply = await openMarket().ask('/v0.3/salesdata/batch', { method: 'POST', body });
    expect(reply.status).toBe(413);
    expect(reply.text).toBe('the body is over 1000000 bytes; send less at once');
  });

  it("closes a socket's connection; a small body keeps it open", async () => {
    const market = await startMarketplace({
      ...{ port: 0, dbFile: ':memory:', source: { kind: 'none' } },
    });
    onTestFinished(() => market.stop());
    const { port } = new URL(market.url);
    const large = await exchange(Number(port), `${request(body.length)}${body.slice(0, 1000)}`);
    expect(large).toMatch(/^HTTP\/1.1 413 /);
    expect(large).toMatch(/\r\nconnection: close\r\n/i);
    const small = `${request(2)}{}`;
    const twice = await exchange(Number(port), small + small.replace('keep-alive', 'close'));
    expect(twice.match(/HTTP\/1.1 401 /g)).toHaveLength(2);
  });

  function request(length: number): string {
    return `POST /v1/events/sales/batch HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\nContent-Length: ${length}\r\n\r\n`;
  }

  /** The output of a server on one connection until it closes it. */
  function exchange(port: number, text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(text));
      let said = '';
      socket.on('data', (chunk) => {
        said += chunk;
      });
      socket.on('error', reject);
      socket.on('close', () => resolve(said));
    });
  }
});

describe('the Date header', () => {
  it('shows the market clock, which stamps the observations', async () => {
    const market = openMarket({ clocks: { real: () => 0, market: () => start + 999 } });
    const reply = await market.get('/v1/account');
    expect(reply.headers.get('date')).toBe('Fri, 27 Nov 2026 12:00:00 GMT');
    const refused = await market.get('/v1/account', 'x');
    expect(refused.headers.get('date')).toBe('Fri, 27 Nov 2026 12:00:00 GMT');
  });
});

describe('a store that another process is writing', () => {
  it('is 503 with Retry-After, and not reported as a fault', async () => {
    const faults: unknown[] = [];
    const market = openMarket({ onFault: (error) => faults.push(error) });
    market.list([aListing(1)]);
    market.store.run = () => {
      throw Object.assign(new Error('database is locked'), { errcode: 5 });
    };
    const reply = await market.get('/v1/events/1/listings');
    expect(reply).toMatchObject({ status: 503, json: { error: { type: 'server_error' } } });
    expect(reply.headers.get('retry-after')).toBe('5');
    expect(faults).toEqual([]);
  });
});
