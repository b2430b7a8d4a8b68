// What is logged of every request: who, what, how it ended, and nothing that was sent.
import { beforeEach, describe, expect, it } from 'vitest';
import { type Api, adminKey, startApi } from '#test/support/api.ts';

describe('the access log', () => {
  let quiet: Api;

  beforeEach(async () => {
    quiet = await startApi();
    return () => quiet.stop();
  });

  it('logs one line a request with ids, route and status, and nothing that was sent', async () => {
    await quiet.call('/v1/watches?starting_after=canary-query', {
      headers: { 'x-canary': 'canary-header' },
    });
    await quiet.call('/v1/watches', {
      body: { event_id: 1, name: 'canary-body', rules: [], channels: [] },
    });
    await quiet.call(`/v1/watches/wat_${'0'.repeat(32)}`);
    await quiet.call('/v1/watches', { key: 'getin_canarykey' });
    const lines = quiet.logged.filter(({ message }) => message === 'request.finished');
    expect(lines.map(({ fields }) => [fields.method, fields.route, fields.status])).toEqual([
      ['GET', '/v1/watches', 400],
      ['POST', '/v1/watches', 400],
      ['GET', '/v1/watches/{id}', 404],
      ['GET', '/v1/watches', 401],
    ]);
    expect(lines[0]?.fields).toEqual({
      requestId: expect.any(String),
      keyId: expect.stringMatching(/^key_/),
      method: 'GET',
      route: '/v1/watches',
      status: 400,
      durationMs: expect.any(Number),
    });
    expect(JSON.stringify(quiet.logged)).not.toMatch(/canary|getin_/);
  });

  it('names patterns, never what stood in their place', async () => {
    const { call } = quiet;
    await call('/v1/watches/canary');
    await call('/v1/canary');
    await call('/l/canary?w=canary', { key: '' });
    await call('/v1/channels', { body: { kind: 'email', address: 'canary@example.com' } });
    await call('/v1/channels', { body: { kind: 'webhook', url: 'https://example.com/canary' } });
    await call('/v1/channels', { body: '{"canary":', headers: { 'idempotency-key': 'canary' } });
    await call('/v1/keys', { key: adminKey, body: { name: 'canary', scope: 'read' } });
    await call('/v1/watchlist/import', { body: 'canary', headers: { 'content-type': 'text/csv' } });
    await call('/v1/watches', { headers: { authorization: 'Basic canary' } });
    const lines = quiet.logged.map(({ fields }) => [fields.route, fields.status]);
    expect(lines).toEqual([
      ['/v1/watches/{id}', 404],
      [null, 404],
      ['/l/{token}', 404],
      ['/v1/channels', 201],
      ['/v1/channels', 201],
      ['/v1/channels', 400],
      ['/v1/keys', 201],
      ['/v1/watchlist/import', 400],
      ['/v1/watches', 401],
    ]);
    expect(JSON.stringify(quiet.logged)).not.toMatch(/canary|getin_|whsec_|example\.com/);
  });

  it('tells of an unexpected error what it is, not what it stumbled over', async () => {
    const cause = Object.assign(new Error('Attribute "name" should be a string'), {
      payload: { received: 'canary' },
    });
    const broken = await startApi({
      searchEvents: async () => {
        throw Object.assign(new Error('not written', { cause }), { input: 'canary' });
      },
    });
    await broken.call('/v1/events');
    await broken.stop();
    const failed = broken.logged.find(({ message }) => message === 'request.failed');
    expect(failed?.fields).toEqual({
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      error: {
        name: 'Error',
        message: 'not written',
        stack: expect.stringContaining('access-log.test.ts'),
        cause: {
          name: 'Error',
          message: 'Attribute "name" should be a string',
          stack: expect.any(String),
        },
      },
    });
    expect(JSON.stringify(broken.logged)).not.toContain('canary');
  });
});
