/** The watchlist API on loopback, with one event's prices, a channel, an alert and a delivery that failed. */
import { exampleIds } from '#functions/api/document/example-ids.ts';
import { newDelivery } from '#shared/delivery/delivery.ts';
import { anAlert } from '#test/support/alerts.ts';
import { type Api, aChannel, createKey, startApi, startMs, statsAt } from '#test/support/api.ts';
import { storePolled } from '#test/support/polled-event.ts';
import { serveApi } from '#test/support/serve-api.ts';

/** What a client calls. */
export interface Called {
  url: string;
  key: string;
  stop(): Promise<void>;
}

export async function startWatchlist(): Promise<Called> {
  const api = await startApi({ requestLimit: { requests: 1e6, windowSeconds: 60 } });
  await seed(api);
  return { ...(await serveApi(api)), key: await createKey(api, api.ann.ownerId, 'admin') };
}

async function seed({ ann: { ownerId }, stores }: Api): Promise<void> {
  const { alert: alertId, channel: channelId, delivery: deliveryId } = exampleIds;
  await stores.channels.create(aChannel(channelId, ownerId));
  const recent = { hour: startMs / 3_600_000, cents: Array(25).fill(10_050) };
  await storePolled(stores, [statsAt(startMs, 100.5, { 'Lower Bowl': 120 })], { recent });
  await stores.alerts.create(anAlert({ alertId, ownerId, channelIds: [channelId] }));
  const delivery = newDelivery(
    { deliveryId, purpose: 'alert', ownerId, channelId, channelKind: 'email' },
    { now: startMs },
  );
  await stores.deliveries.create({ ...delivery, status: 'failed', alertIds: new Set([alertId]) });
}
