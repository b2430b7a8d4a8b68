// Odd values in single fields of the API: each is refused with its place, or works.
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Api,
  adminKey,
  anyVersion,
  eventId,
  startApi,
  startMs,
  statsAt,
} from '#test/support/api.ts';

let api: Api;

beforeAll(async () => {
  api = await startApi();
  await api.stores.snapshots.createAll([statsAt(startMs - 60_000, 90, { Court: 91 })], startMs);
  return () => api.stop();
});

const level = { type: 'level', metric: 'get_in', at_or_below: 80 };

describe('POST /v1/watches', () => {
  const aWatch = (field: object) => ({
    ...{ event_id: eventId, channels: [api.ann.channelId] },
    rules: [{ ...level, ...field }],
  });

  it.each([
    [{ within_days_of_event: 1e-9 }, '/within_days_of_event', 'must be at least 0.01'],
    [{ within_days_of_event: 0 }, '/within_days_of_event', 'must be at least 0.01'],
    [{ within_days_of_event: 1.0001 }, '/within_days_of_event', 'must have at most two decimals'],
    [{ within_days_of_event: 731 }, '/within_days_of_event', 'must be at most 730'],
    [{ expires_at: '2026-03-01T12:00:00Z' }, '/expires_at', 'must be in the future'],
    [{ expires_at: '0000-01-01T00:00:00Z' }, '/expires_at', 'must be in the future'],
  ])('refuses a rule with %j', async (field, pointer, detail) => {
    const { status, body } = await api.call('/v1/watches', {
      method: 'POST',
      body: aWatch(field),
    });
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ pointer: `#/rules/0${pointer}`, detail }]);
  });

  it.each([
    { within_days_of_event: 0.01 },
    { within_days_of_event: 0.5 },
    { within_days_of_event: 730 },
    { expires_at: '9999-12-31T23:59:59-23:59' },
  ])('takes a rule with %j', async (field) => {
    const { status, body } = await api.call('/v1/watches', {
      method: 'POST',
      body: aWatch(field),
    });
    expect(status).toBe(201);
    expect(body.rules).toMatchObject([{ rule: field }]);
  });
});

describe('POST /v1/rules/preview', () => {
  const preview = (span: object) =>
    api.call('/v1/rules/preview', {
      method: 'POST',
      body: { event_id: eventId, rule: { ...level, at_or_below: 95 }, ...span },
    });

  it.each([
    { from: '0000-01-01T00:00:00Z', to: '0000-01-02T00:00:00Z' },
    { from: '1969-12-31T00:00:00Z', to: '1970-01-02T00:00:00Z' },
    { to: '0000-01-01T00:00:00+23:59' },
    { from: '9999-12-01T00:00:00Z', to: '9999-12-31T23:59:59-23:59' },
  ])('finds nothing from %j', async (span) => {
    const { status, body } = await preview(span);
    expect(status).toBe(200);
    expect(body).toMatchObject({ snapshots: 0, from: null, to: null });
  });

  it.each([
    { from: '0000-01-01T00:00:00Z' },
    { from: '9999-01-01T00:00:00Z' },
    { to: '9999-12-31T23:59:59Z', from: '2026-01-01T00:00:00Z' },
    { from: '2024-02-29T00:00:00Z' },
  ])('refuses %j', async (span) => {
    const { status, body } = await preview(span);
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([
      { pointer: '#/from', detail: 'must be before `to`, by at most 730 days' },
    ]);
  });
});

describe('the settings of the budget', () => {
  const shares = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, n) => [`own_${String(n).padStart(32, '0')}`, 0.5]),
    );
  const set = (count: number) =>
    api.call('/v1/budget', {
      ...{ method: 'PATCH', key: adminKey, headers: anyVersion },
      body: { owner_shares: shares(count) },
    });

  it('takes shares of a thousand owners, and of no more', async () => {
    expect((await set(1_000)).status).toBe(200);
    const { status, body } = await set(1_001);
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([
      { pointer: '#/owner_shares', detail: 'must name at most 1,000 owners' },
    ]);
  });

  it('refuses a share that is too small to be stored', async () => {
    const ownerId = `own_${'7'.repeat(32)}`;
    const { status, body } = await api.call('/v1/budget', {
      ...{ method: 'PATCH', key: adminKey, headers: anyVersion },
      body: { owner_shares: { [ownerId]: 1e-100 } },
    });
    expect([status, body.errors]).toMatchObject([
      400,
      [{ pointer: `#/owner_shares/${ownerId}`, detail: 'must be 0, or at least 0.0001' }],
    ]);
  });
});

const oddTexts = [
  ...['%00', '%ED%A0%80', '%', '%F0%9F', '__proto__', 'constructor', '%F0%9F%8E%9F'],
  ...['%E2%80%AE', 'a%0d%0ab', "'%22%3C", '%EF%BF%BF'],
];

describe('a query parameter of odd text', () => {
  it.each(oddTexts)('%s names no zone', async (text) => {
    const { status, body } = await api.call(
      `/v1/events/${eventId}/history?metric=get_in&zone=${text}`,
    );
    expect(status).toBe(200);
    expect(body.data).toMatchObject([{ value: null }]);
  });

  it.each(oddTexts)('%s is searched for', async (text) => {
    expect((await api.call(`/v1/events?query=${text}`)).status).toBe(200);
  });

  it.each([
    [`/v1/events/${eventId}/history?zone=${'z'.repeat(201)}`, '#/zone'],
    [`/v1/events/${eventId}/history?zone=%20`, '#/zone'],
    [`/v1/events/${eventId}/history?from=9999-12-31T23:59:59-23:59`, '#/from'],
    [`/v1/events?query=${'q'.repeat(201)}`, '#/query'],
  ])('%.60s is refused', async (path, pointer) => {
    const { status, body } = await api.call(path);
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ pointer }]);
  });

  it.each([
    ['from=0000-01-01T00:00:00Z&to=9999-12-31T23:59:59-23:59', 1],
    ['to=0000-01-01T00:00:00%2B23:59', 0],
  ])('a history of %s has %i rows', async (span, rows) => {
    const { status, body } = await api.call(`/v1/events/${eventId}/history?${span}`);
    expect(status).toBe(200);
    expect(body.data).toHaveLength(rows);
  });
});
