// What became of an alert: its state and its one reason, in the list by filter and for one alert.
import { beforeEach, describe, expect, it } from 'vitest';
import type { Alert } from '#shared/alerts/alert.ts';
import { type Delivery, newDelivery } from '#shared/delivery/delivery.ts';
import type { Disposition } from '#shared/delivery/disposition.ts';
import { anAlert } from '#test/support/alerts.ts';
import { type Api, startApi, startMs, watchBody } from '#test/support/api.ts';

let api: Api;

beforeEach(async () => {
  api = await startApi();
  return () => api.stop();
});

interface Made {
  alert?: Partial<Alert>;
  decision?: Partial<Disposition>;
  delivery?: Partial<Delivery>;
  further?: Partial<Delivery>;
}

let made = 0;

/** Stores an alert with a decision and the deliveries that came of it. @returns the alert's id. */
async function make({ alert = {}, decision, delivery, further }: Made): Promise<string> {
  made += 1;
  const { ownerId, channelId } = api.ann;
  const alertId = alert.alertId ?? `alt_${made}`;
  const { stores } = api;
  await stores.alerts.create(anAlert({ ...alert, alertId, ownerId, firedAt: startMs + made }));
  const place = { alertId, channelId };
  if (decision) {
    await stores.dispositions.decideOnce(place, async () => ({
      ...{ ...place, kind: 'send', decidedAt: startMs, dueAt: startMs },
      ...decision,
    }));
  }
  for (const each of [delivery, further]) {
    if (!each) continue;
    const about = { ownerId, channelId, channelKind: 'slack', purpose: 'alert' } as const;
    const alertIds = new Set([alertId]);
    const all = { deliveryId: 'dlv_none', ...about, alertIds, ...each };
    await stores.deliveries.create(newDelivery(all, { now: startMs }));
  }
  return alertId;
}

const read = async (id: string) => (await api.call(`/v1/alerts/${id}`)).body;
const list = async (query: string) => {
  const { body } = await api.call(`/v1/alerts?${query}`);
  return body.data.map((alert: { id: string }) => alert.id);
};

const send = { kind: 'send', deliveryId: 'dlv_1' } as const;
const left = [{ alertId: 'alt_left', reason: 'superseded' }];

describe('an alert', () => {
  it.each<[string, Made, string, string | null]>([
    [
      'arrived',
      { decision: send, delivery: { deliveryId: 'dlv_1', status: 'sent' } },
      'sent',
      null,
    ],
    [
      'that a cool-down kept back is unsent',
      { alert: { unsentReason: 'cool_down' } },
      'unsent',
      'cool_down',
    ],
    [
      'that is snoozed is unsent',
      { decision: { kind: 'unsent', reason: 'snoozed' } },
      'unsent',
      'snoozed',
    ],
    [
      'that is held waits, with what holds it',
      {
        decision: { kind: 'hold', reason: 'quiet_hours', deliveryId: 'dlv_1' },
        delivery: { deliveryId: 'dlv_1', heldFor: 'quiet_hours' },
      },
      'waiting',
      'quiet_hours',
    ],
    [
      'that was true no more is unsent',
      {
        alert: { alertId: 'alt_left' },
        decision: { kind: 'hold', reason: 'digest', deliveryId: 'dlv_1' },
        delivery: { deliveryId: 'dlv_1', status: 'sent', leftOut: left },
      },
      'unsent',
      'superseded',
    ],
    [
      'that failed says with what',
      {
        decision: send,
        delivery: { deliveryId: 'dlv_1', status: 'failed', lastReason: 'http_410' },
      },
      'failed',
      'http_410',
    ],
    [
      'that failed and went by the fallback was sent',
      {
        decision: send,
        delivery: { deliveryId: 'dlv_1', status: 'failed', fellBackTo: new Set(['dlv_2']) },
        further: { deliveryId: 'dlv_2', status: 'sent' },
      },
      'sent',
      null,
    ],
    [
      'that went on in a message with others was sent',
      {
        decision: send,
        delivery: { deliveryId: 'dlv_1', status: 'merged', mergedInto: 'dlv_2' },
        further: { deliveryId: 'dlv_2', status: 'sent' },
      },
      'sent',
      null,
    ],
    [
      'whose channel was off is unsent, and kept',
      {
        decision: { kind: 'unsent', reason: 'channel_disabled', deliveryId: 'dlv_1' },
        delivery: { deliveryId: 'dlv_1', status: 'skipped', lastReason: 'channel_disabled' },
      },
      'unsent',
      'channel_disabled',
    ],
  ])('%s', async (_what, what, state, reason) => {
    const id = await make(what);
    const body = await read(id);
    expect([body.state, body.reason]).toEqual([state, reason]);
  });
});

describe('the list', () => {
  it('is filtered by state and by reason', async () => {
    const sent = await make({
      decision: send,
      delivery: { deliveryId: 'dlv_1', status: 'sent' },
    });
    const cooling = await make({ alert: { unsentReason: 'cool_down' } });
    const capped = await make({ alert: { unsentReason: 'cap' } });
    expect(await list('state=sent')).toEqual([sent]);
    expect(await list('state=unsent')).toEqual([capped, cooling]);
    expect(await list('reason=cool_down')).toEqual([cooling]);
    expect(await list('state=sent&reason=cap')).toEqual([]);
  });

  it('says without a filter what a limit of its rule kept back', async () => {
    await make({ decision: send });
    await make({ alert: { unsentReason: 'cool_down' } });
    const { data } = (await api.call('/v1/alerts')).body;
    expect(
      data.map((alert: { state?: string; reason?: string }) => [alert.state, alert.reason]),
    ).toEqual([
      ['unsent', 'cool_down'],
      [undefined, undefined],
    ]);
  });

  it('says of each alert what became of it, and when, if asked', async () => {
    const due = startMs + 3_600_000;
    await make({
      decision: { kind: 'hold', reason: 'quiet_hours', deliveryId: 'dlv_1', dueAt: due },
      delivery: { deliveryId: 'dlv_1', heldFor: 'quiet_hours' },
    });
    await make({
      decision: { ...send, deliveryId: 'dlv_2' },
      delivery: { deliveryId: 'dlv_2', status: 'sent', sentAt: startMs + 5_000 },
      further: { deliveryId: 'dlv_3', status: 'sent', sentAt: startMs + 9_000 },
    });
    const { data } = (await api.call('/v1/alerts?include=outcome')).body;
    expect(data).toMatchObject([
      { state: 'sent', reason: null, sent_at: '2026-03-01T12:00:05.000Z', held_until: null },
      {
        ...{ state: 'waiting', reason: 'quiet_hours', sent_at: null },
        held_until: '2026-03-01T13:00:00.000Z',
      },
    ]);
  });

  it('refuses a state that there is not', async () => {
    expect((await api.call('/v1/alerts?state=gone')).status).toBe(400);
  });
});

describe('the deliveries of an alert', () => {
  it('are whole: with those by which it went on, and by a fallback', async () => {
    const id = await make({
      decision: send,
      delivery: { deliveryId: 'dlv_1', status: 'failed', fellBackTo: new Set(['dlv_2']) },
      further: { deliveryId: 'dlv_2', status: 'sent', fallbackFor: 'dlv_1' },
    });
    const { data } = (await api.call(`/v1/deliveries?alert_id=${id}`)).body;
    expect(
      data.map((row: { id: string; fell_back_to: string[] }) => [row.id, row.fell_back_to]),
    ).toEqual([
      ['dlv_1', ['dlv_2']],
      ['dlv_2', []],
    ]);
  });
});

it('are listed by a tag that their watches have now', async () => {
  const { body: watch } = await api.call('/v1/watches', {
    body: watchBody(api, { tags: ['finals'] }),
  });
  const tagged = await make({ alert: { watchId: watch.id } });
  await make({ alert: { watchId: `wat_${'9'.repeat(32)}` } });
  expect(await list('tag=finals')).toEqual([tagged]);
  expect(await list('tag=other')).toEqual([]);
});
