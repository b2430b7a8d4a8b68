// When an owner hears of alerts.
import { beforeEach, describe, expect, it } from 'vitest';
import { ownerChangeSchema } from '#shared/watchlist/owner-change.ts';
import { type Api, anyVersion, startApi } from '#test/support/api.ts';

let api: Api;

beforeEach(async () => {
  api = await startApi();
  return () => api.stop();
});

describe('an owner', () => {
  const change = (body: object) =>
    api.call('/v1/owner', { method: 'PATCH', body, headers: anyVersion });

  it('has a time zone, quiet hours and a digest, and can take them away', async () => {
    const quiet_hours = { from: '22:00', to: '07:00' };
    const set = await change({ time_zone: 'Asia/Seoul', quiet_hours, digest: { mode: 'daily' } });
    const told = {
      time_zone: 'Asia/Seoul',
      quiet_hours,
      digest: { mode: 'daily', daily_at: '08:00' },
    };
    expect(set.body).toMatchObject(told);
    expect((await api.call('/v1/owner')).body).toMatchObject(told);
    expect((await change({ quiet_hours: null, digest: null })).body).toMatchObject({
      time_zone: 'Asia/Seoul',
      quiet_hours: null,
      digest: { mode: 'off' },
    });
  });

  it('renames itself', async () => {
    const renamed = await change({ name: '  Ann’s tickets ' });
    expect([renamed.status, renamed.body.name]).toEqual([200, 'Ann’s tickets']);
    expect((await api.call('/v1/owner')).body.name).toBe('Ann’s tickets');
    expect((await change({ name: ' ' })).body.errors).toMatchObject([{ pointer: '#/name' }]);
  });

  it.each([
    [{ quiet_hours: { from: '22:00', to: '22:00' } }],
    [{ quiet_hours: { from: '00:00', to: '24:00' } }],
    [{ quiet_hours: { from: '24:00', to: '07:00' } }],
    [{ quiet_hours: { from: '9:00', to: '07:00' } }],
    [{ time_zone: 'Mars/Base' }],
    [{ time_zone: '+02:00' }],
    [{ time_zone: 'PST' }],
    [{ time_zone: 'EST' }],
    [{ time_zone: 'mst' }],
    [{ time_zone: 'HST' }],
    [{ time_zone: 'EST5EDT' }],
    [{ time_zone: 'CST' }],
    [{ time_zone: 'IST' }],
    [{ time_zone: 'BST' }],
    [{ time_zone: 'constructor' }],
  ])('may not say %j', async (body) => {
    expect((await change(body)).status).toBe(400);
  });

  it('has the field of a time zone named that no alert could be held back in', async () => {
    const { status, body } = await change({ time_zone: 'PST' });
    expect({ status, errors: body.errors }).toMatchObject({
      status: 400,
      errors: [{ pointer: '#/time_zone' }],
    });
  });

  it('may name every zone that this runtime lists', async () => {
    const refused = Intl.supportedValuesOf('timeZone').filter(
      (time_zone) => !ownerChangeSchema.safeParse({ time_zone }).success,
    );
    expect(refused).toEqual([]);
  });
});
