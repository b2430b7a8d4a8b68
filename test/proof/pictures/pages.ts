// The pages behind the links in messages, in each of their states.
import type { Page } from 'playwright-core';
import type { Outgoing } from '#shared/delivery/channels/channel-kind.ts';
import { everyWatch } from '#shared/watchlist/channel.ts';
import { alertLists } from './alert-lists.ts';
import { alertStates } from './alert-states.ts';
import { mailLooks, type Subject } from './picture.ts';
import type { World } from './world.ts';

const dayMs = 86_400_000;

export async function pagePictures(
  world: World,
  samples: ReadonlyMap<string, Outgoing>,
): Promise<Subject> {
  const addresses = await pageAddresses(world, samples);
  return {
    name: 'pages',
    pictures: [
      ...Object.entries(addresses).map(([name, address]) => ({
        name,
        looks: mailLooks,
        show: (page: Page) => page.goto(address),
        // The page of an invalid link is an answer 404.
        ignored: /status of 404/,
      })),
      ...(await alertStates(world)),
      ...(await alertLists(world)),
    ],
  };
}

/** The address of each page, by its name. */
export async function pageAddresses(
  { api, links, stopUrl, watchId, addChannel }: World,
  samples: ReadonlyMap<string, Outgoing>,
): Promise<Record<string, string>> {
  const { now } = api.clock;
  const unverified = await addChannel({ status: 'unverified' });
  const snoozed = await addChannel({ watchesSilentUntil: { [everyWatch]: now + dayMs } });
  const stopped = await addChannel({ status: 'unsubscribed' });
  const off = await addChannel({ status: 'disabled' });
  const blocked = await addChannel({ target: { kind: 'email', address: 'gone@example.com' } });
  await api.stores.suppressions.suppress('gone@example.com', 'bounce', now);
  return {
    confirm: await links.confirmUrl(unverified.channelId, now),
    confirmed: await links.confirmUrl(api.ann.channelId, now),
    channel: stopUrl,
    watch: `${stopUrl}?w=${watchId}`,
    alerts: `${stopUrl}?do=alerts`,
    snoozed: snoozed.stopUrl,
    stopped: stopped.stopUrl,
    'switched-off': off.stopUrl,
    blocked: blocked.stopUrl,
    deleted: await links.manageUrl(`ch_${'f'.repeat(32)}`),
    invalid: stopUrl.replace(/[^/]+$/, 'no-token'),
    ...alertPages(samples.get('level')),
  };
}

/** The page of an alert, and what it first offers by each link of the message: `alert-bought`. */
function alertPages(sample: Outgoing | undefined): Record<string, string> {
  const links = sample?.message.links.filter(({ kind }) => kind === 'open' || kind === 'act') ?? [];
  return Object.fromEntries(
    links.map(({ url }) => {
      const act = new URL(url).searchParams.get('do');
      return [act === null ? 'alert' : `alert-${act}`, url];
    }),
  );
}
