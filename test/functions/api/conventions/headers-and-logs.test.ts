// What every answer carries, and what is logged of every request.
import { beforeEach, describe, expect, it } from 'vitest';
import { type Api, startApi } from '#test/support/api.ts';

describe('headers and logs', () => {
  let quiet: Api;

  beforeEach(async () => {
    quiet = await startApi();
    return () => quiet.stop();
  });

  it('names each request, and sends security headers and nothing for other origins', async () => {
    const { headers } = await quiet.call('/v1/watches', {
      headers: { origin: 'https://a.example' },
    });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('strict-transport-security')).toContain('max-age=');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('access-control-allow-origin')).toBeNull();
    const preflight = await quiet.app.request('/v1/watches', { method: 'OPTIONS' });
    expect(preflight.status).not.toBe(200);
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
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
});
