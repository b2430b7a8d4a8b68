// Lists that name events by id name their names and dates too, read together for a page.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newDelivery } from '#shared/delivery/delivery.ts';
import { pullOf } from '#shared/polling/pull.ts';
import { anAlert } from '#test/support/alerts.ts';
import { adminKey, startMs } from '#test/support/api.ts';
import { type CountedApi, startCountedApi } from '#test/support/counted-api.ts';

let counted: CountedApi;
const events = 60;

beforeAll(async () => {
  counted = await startCountedApi();
  const { ann, stores } = counted.tables;
  const { ownerId, channelId } = ann;
  for (let n = 1; n <= events; n += 1) {
    const at = startMs + n;
    const alert = { alertId: `alt_${n}`, ownerId, eventId: n, eventName: `Game ${n}`, firedAt: at };
    await stores.alerts.create(anAlert(alert));
    const to = { deliveryId: `dlv_${n}`, ownerId, channelId, purpose: 'alert' } as const;
    const alertIds = new Set([`alt_${n}`]);
    await stores.deliveries.create(
      newDelivery({ ...to, channelKind: 'email', alertIds }, { now: at }),
    );
    const facts = { eventId: n, name: `Game ${n}`, date: '2026-03-07', updatedAt: startMs };
    await stores.eventFacts.keep(facts);
    const spent = { claim: `${n}`, eventId: n, pulls: 1, watches: 1, pulledAt: startMs } as const;
    await stores.pulls.create(
      pullOf({ ...spent, kind: 'stats', reason: 'data', state: 'settled' }),
    );
  }
}, 60_000);

afterAll(() => counted.stop());

it('a page of deliveries reads the events of its alerts in one batch', async () => {
  const { body, requests } = await counted.requestsOf('/v1/deliveries?limit=50');
  expect(body.data[0].events).toEqual([
    { event_id: events, event_name: `Game ${events}`, event_date: '2026-03-07' },
  ]);
  const reads = requests.filter((name) => name === 'QueryCommand' || name === 'BatchGetCommand');
  expect(reads).toEqual(['QueryCommand', 'BatchGetCommand']);
  const one = await counted.requestsOf(`/v1/deliveries/${body.data[0].id}`);
  expect(one.body.events).toEqual(body.data[0].events);
});

it('a page of alerts has the events as the alerts froze them, with no further read', async () => {
  const { body, requests } = await counted.requestsOf('/v1/alerts?limit=50');
  expect(body.data[0]).toMatchObject({ event_name: `Game ${events}`, event_date: '2026-03-07' });
  expect(requests.filter((name) => name === 'BatchGetCommand')).toEqual([]);
});

it('the budget by event reads the facts of its events in one batch', async () => {
  const { body, requests } = await counted.requestsOf('/v1/budget', adminKey);
  expect(body.events).toHaveLength(events);
  for (const event of body.events) {
    expect(event).toMatchObject({
      event_name: `Game ${event.event_id}`,
      event_date: '2026-03-07',
    });
  }
  // The other batch has the budget's own items.
  const batches = requests.filter((name) => name === 'BatchGetCommand');
  expect(batches.length).toBeLessThanOrEqual(2);
});
