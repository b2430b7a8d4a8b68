// A watch that ended because its owner bought a ticket: how the API shows it, and every way back.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, anyVersion, startApi, watchBody } from '#test/support/api.ts';

let api: Api;
let made = 0;

beforeAll(async () => {
  api = await startApi({ requestLimit: { requests: 1_000_000, windowSeconds: 60 } });
});
afterAll(() => api.stop());

const alertId = 'alt_00000000000000000000000000000001_1';

/** A watch that a link ended. */
async function bought({ paidCents, statusBefore = 'active' }: Partial<Bought> = {}) {
  made += 1;
  const body = watchBody(api, { event_id: 20_000 + made, tags: ['finals'] });
  const { id } = (await api.call('/v1/watches', { body })).body;
  const watch = await api.stores.watches.find(id);
  if (!watch) throw new Error('the watch is missing');
  const { now } = api.clock;
  await api.stores.watchVersions.keep(watch, now);
  const { channelId } = api.ann;
  await api.stores.watches.change(
    watch,
    {
      status: 'ended',
      bought: { at: now, alertId, statusBefore, ...(paidCents !== undefined && { paidCents }) },
      changedBy: { way: 'link', channelId, act: 'bought', alertId },
    },
    now,
  );
  return id as string;
}

interface Bought {
  paidCents: number;
  statusBefore: 'active' | 'paused';
}

const read = async (id: string) => (await api.call(`/v1/watches/${id}`)).body;
const post = (path: string, body?: unknown) => api.call(path, { method: 'POST', body });

describe('a watch whose ticket was bought', () => {
  it('is shown as ended, with the price that was paid and without other trouble', async () => {
    const watch = await read(await bought({ paidCents: 9_550 }));
    expect(watch).toMatchObject({
      status: 'ended',
      bought: { at: '2026-03-01T12:00:00.000Z', alert: alertId, price_paid: 95.5 },
      next_poll_at: null,
    });
    expect(watch.trouble).toEqual([
      expect.objectContaining({ code: 'bought', severity: 'silent' }),
    ]);
  });

  it('says in its versions who told it, and for what price', async () => {
    const { data } = (await api.call(`/v1/watches/${await bought({ paidCents: 9_550 })}/versions`))
      .body;
    expect(data[0]).toMatchObject({
      words: 'ended; bought for $95.50 a ticket',
      changed_by: { way: 'link', channel: api.ann.channelId },
      settings: { status: 'ended', bought: { price_paid: 95.5 } },
    });
    expect(data[0].changed_by.words).toBe(
      `by a link in a message to the channel ${api.ann.channelId}`,
    );
  });

  it('is in the CSV export with the time and the price, which an import ignores', async () => {
    const id = await bought({ paidCents: 9_550 });
    const { text } = await api.call('/v1/watchlist/export?format=csv');
    const [header = '', ...rows] = text.split('\r\n');
    const at = header.split(',').indexOf('bought_at');
    const row = rows.find((each) => each.includes(id));
    expect(header.split(',')[at + 1]).toBe('price_paid');
    expect(row).toContain(',2026-03-01T12:00:00.000Z,95.5,');
    const report = await api.call('/v1/watchlist/import', {
      ...{ method: 'POST', body: [header, row].join('\r\n') },
      headers: { 'content-type': 'text/csv' },
    });
    expect(report.body).toMatchObject({ unchanged: 1, refused: 0 });
    expect((await read(id)).status).toBe('ended');
  });

  it('is active again after a resume, and nothing is bought', async () => {
    const id = await bought();
    const { status, body } = await post(`/v1/watches/${id}/resume`);
    expect([status, body.status, body.bought]).toEqual([200, 'active', null]);
    const [last] = (await api.call(`/v1/watches/${id}/versions`)).body.data;
    expect(last.words).toBe('resumed; purchase undone');
  });

  it('can’t be paused', async () => {
    const { status, body } = await post(`/v1/watches/${await bought()}/pause`);
    expect([status, body.detail]).toEqual([409, 'It has ended, because you bought a ticket']);
  });

  it('stays ended when many watches are resumed', async () => {
    const id = await bought();
    const { body } = await post('/v1/watches/bulk', {
      ...{ ids: [id], action: { type: 'resume' } },
    });
    expect(body.watches[0]).toMatchObject({
      outcome: 'refused',
      detail: 'it has ended, because you bought a ticket; resume it by itself',
    });
    expect((await read(id)).status).toBe('ended');
  });

  it('is ended again after it is deleted and restored', async () => {
    const id = await bought({ paidCents: 9_550 });
    await api.call(`/v1/watches/${id}`, { method: 'DELETE', headers: anyVersion });
    const { status, body } = await post(`/v1/watches/${id}/restore`);
    expect([status, body.status, body.bought.price_paid]).toEqual([200, 'ended', 95.5]);
  });

  it('is as it was after the version before the purchase is restored', async () => {
    const id = await bought();
    const { body } = await post(`/v1/watches/${id}/versions/1/restore`);
    expect([body.status, body.bought]).toEqual(['active', null]);
  });
});
