// The settings of the budget by API: what a change keeps, what a replacement needs, and two writers at once.
import { beforeEach, describe, expect, it } from 'vitest';
import { type Api, adminKey, startApi } from '#test/support/api.ts';

let api: Api;
const key = adminKey;

beforeEach(async () => {
  api = await startApi({ pullCaps: { daily: 500, monthly: 10_000 } });
  return () => api.stop();
});

const read = () => api.call('/v1/budget', { key });
const patch = (body: unknown, headers: Record<string, string> = {}) =>
  api.call('/v1/budget', { method: 'PATCH', body, key, headers });
const put = (body: unknown, headers: Record<string, string> = {}) =>
  api.call('/v1/budget', { method: 'PUT', body, key, headers });
const settings = async () => (await read()).body.settings;
const owner = (digit: string) => `own_${digit.repeat(32)}`;
const deployed = { deployed_daily_cap: 500, deployed_monthly_cap: 10_000 };

describe('the settings of the budget', () => {
  it('are all readable, also before the first change', async () => {
    expect(await settings()).toEqual({
      ...{ daily_cap: null, monthly_cap: null, owner_shares: {} },
      ...deployed,
    });
    await put({ daily_cap: 100, monthly_cap: 900, owner_shares: { [owner('1')]: 0.25 } });
    expect(await settings()).toEqual({
      ...{ daily_cap: 100, monthly_cap: 900, owner_shares: { [owner('1')]: 0.25 } },
      ...deployed,
    });
  });
});

describe('PATCH /v1/budget', () => {
  beforeEach(async () => {
    const owner_shares = { [owner('1')]: 0.25, [owner('2')]: 0.5 };
    await put({ daily_cap: 100, monthly_cap: 900, owner_shares });
  });

  it.each([
    [{ daily_cap: 400 }, { daily_cap: 400 }],
    [{ daily_cap: null }, { daily_cap: null }],
    [{ daily_cap: 0 }, { daily_cap: 0 }],
    [{ monthly_cap: 800 }, { monthly_cap: 800 }],
    [{}, {}],
    [{ owner_shares: {} }, {}],
    [
      { owner_shares: { [owner('2')]: null, [owner('3')]: 0 } },
      { owner_shares: { [owner('1')]: 0.25, [owner('3')]: 0 } },
    ],
  ])('%j changes what it names and keeps the rest', async (body, changed) => {
    const { body: answer, status } = await patch(body);
    const expected = {
      ...{ daily_cap: 100, monthly_cap: 900 },
      ...{ owner_shares: { [owner('1')]: 0.25, [owner('2')]: 0.5 } },
      ...{ ...deployed, ...changed },
    };
    expect([status, answer.settings]).toEqual([200, expected]);
    expect(await settings()).toEqual(expected);
  });

  it('is refused for an old version', async () => {
    const version = (await read()).headers.get('etag') ?? '';
    const first = await patch({ daily_cap: 50 }, { 'if-match': version });
    const second = await patch({ daily_cap: 60 }, { 'if-match': version });
    expect([first.status, second.status]).toEqual([200, 412]);
    const third = await patch({ daily_cap: 70 }, { 'if-match': first.headers.get('etag') ?? '' });
    expect(third.body.settings.daily_cap).toBe(70);
  });

  it('keeps each of several changes at once', async () => {
    const statuses = await Promise.all([
      patch({ daily_cap: 90 }),
      patch({ monthly_cap: 700 }),
      patch({ owner_shares: { [owner('3')]: 0.1 } }),
      patch({ owner_shares: { [owner('4')]: 0.2 } }),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await settings()).toMatchObject({
      ...{ daily_cap: 90, monthly_cap: 700 },
      owner_shares: {
        ...{ [owner('1')]: 0.25, [owner('2')]: 0.5, [owner('3')]: 0.1, [owner('4')]: 0.2 },
      },
    });
  });

  it('takes a thousand owners’ shares in all, and says so', async () => {
    const shares = Object.fromEntries(
      Array.from({ length: 999 }, (_, n) => [`own_${String(n).padStart(32, '0')}`, 0.5]),
    );
    const { status, body } = await patch({ owner_shares: shares });
    expect([status, body.errors]).toEqual([
      400,
      [
        {
          pointer: '#/owner_shares',
          detail: 'must name at most 1,000 owners, with the owners that have a share already',
        },
      ],
    ]);
  });

  it('raises no cap above the deployment’s', async () => {
    expect((await patch({ daily_cap: 501, monthly_cap: 10_001 })).body.errors).toEqual([
      { pointer: '#/daily_cap', detail: "must be no more than the deployment's 500" },
      { pointer: '#/monthly_cap', detail: "must be no more than the deployment's 10000" },
    ]);
  });
});

describe('PUT /v1/budget', () => {
  it('refuses a body that leaves a setting out, so that none is removed without a word', async () => {
    await patch({ monthly_cap: 900 });
    const { status, body } = await put({ daily_cap: 400 });
    expect([status, body.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([
      400,
      ['#/monthly_cap', '#/owner_shares'],
    ]);
    expect(body.errors[0].detail).toBe(
      'is missing; PUT replaces all settings, so send null for no cap, or change single settings with PATCH',
    );
    expect((await settings()).monthly_cap).toBe(900);
  });

  it('replaces all settings, and obeys If-Match if it is there', async () => {
    await patch({ monthly_cap: 900, owner_shares: { [owner('1')]: 0.25 } });
    const all = { daily_cap: 400, monthly_cap: null, owner_shares: {} };
    expect((await put(all, { 'if-match': '"0"' })).status).toBe(412);
    expect((await put(all, { 'if-match': '"1"' })).status).toBe(200);
    expect(await settings()).toEqual({ ...all, ...deployed });
  });
});
