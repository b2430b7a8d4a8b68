// What the pictures show: Ann, her watch on Knicks at Heat, and the alerts of the samples, with the pages and
// charts of their links on loopback.
import type { Alert } from '#shared/alerts/alert.ts';
import type { Links } from '#shared/delivery/links.ts';
import { createAlertExtras } from '#shared/delivery/message/alert-extras.ts';
import type { ReaderContext } from '#shared/delivery/message/message.ts';
import { firedAt, reading } from '#test/support/alerts.ts';
import { type Api, aChannel, levelRule, startApi, statsAt, watchBody } from '#test/support/api.ts';
import { serveLinks } from '#test/support/serve-links.ts';

export interface World {
  api: Api;
  links: Links;
  watchId: string;
  /** The page of Ann's channel. */
  stopUrl: string;
  /** Reads messages as Ann does: with her links and charts. */
  reading: ReaderContext;
  /** Stores alerts, so that their links and charts work. */
  keep(alerts: readonly Alert[]): Promise<void>;
  /** Another mail channel of Ann, and its page. */
  addChannel(
    changes: Partial<ReturnType<typeof aChannel>>,
  ): Promise<{ stopUrl: string; channelId: string }>;
  stop(): Promise<void>;
}

export async function createWorld(): Promise<World> {
  const api = await startApi();
  api.clock.now = firedAt + 30_000;
  const { links, stop } = await serveLinks(api);
  await api.stores.eventFacts.keep({
    ...{ eventId: 4711, name: 'Knicks at Heat', date: '2026-03-07', time: '19:30' },
    ...{ venueName: 'Kaseya Center', venueCity: 'Miami', updatedAt: firedAt },
  });
  const { ownerId, channelId } = api.ann;
  const rules = [{ ...levelRule(80), zone: 'Lower Bowl' }];
  const { body: watch } = await api.call('/v1/watches', { body: watchBody(api, { rules }) });
  const newest = statsAt(firedAt, 61, { 'Lower Bowl': 72.5 });
  await api.stores.snapshots.createAll([newest], api.clock.now);
  const stopUrl = await links.manageUrl(channelId);
  let channels = 0;
  return {
    api,
    links,
    watchId: watch.id,
    stopUrl,
    reading: { ...reading, extrasOf: createAlertExtras(stopUrl, []) },
    async keep(alerts) {
      for (const alert of alerts) {
        const own = { ownerId, watchId: watch.id, ruleId: watch.rules[0].id };
        await api.stores.alerts.create({ ...alert, ...own });
      }
    },
    async addChannel(changes) {
      channels += 1;
      const added = `ch_${String(channels).padStart(32, '0')}`;
      await api.stores.channels.create({ ...aChannel(added, ownerId), ...changes });
      return { channelId: added, stopUrl: await links.manageUrl(added) };
    },
    stop,
  };
}
