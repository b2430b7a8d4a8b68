// Carries out what a button of a link's page says. A repeat changes nothing more.
import type { Channel } from '#shared/delivery/channel.ts';
import { suppressionOf } from '#shared/delivery/channel-condition.ts';
import { createTellOwner } from '#shared/delivery/tell-owner.ts';
import { createFindUnreached, createTellUnreached } from '#shared/delivery/unreached.ts';
import { everyWatch, forever } from '#shared/watchlist/channel.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import type { ApiDeps } from '../api-deps.ts';
import type { LinkPage } from './link-page.ts';
import type { Place } from './link-place.ts';
import { notConfirmable, notValid, onAgain, presses } from './link-presses.ts';
import { createManageChannels } from './manage-channels.ts';
import { noteLinkPress } from './note-link-press.ts';

const snoozeMs = 24 * 3_600_000;

/** @returns the page that says what was done; `notValid` for a button that the page does not have. */
export type PressLink = (place: Place, what: string) => Promise<LinkPage> | LinkPage;

/** The use case. */
export function createPressLink(
  deps: Pick<ApiDeps, 'stores' | 'senders' | 'links' | 'now'>,
): PressLink {
  const manage = createManageChannels(deps);
  const { stores, senders } = deps;
  const findSuppression = (channel: Channel) =>
    suppressionOf({ findSuppression: stores.suppressions.find }, channel);
  const tellUnreached = createTellUnreached({
    findUnreached: createFindUnreached({
      listWatches: stores.watches.listAll,
      findChannel: stores.channels.find,
      findHealth: stores.channelHealth.find,
      findSuppression: stores.suppressions.find,
    }),
    tellOwner: createTellOwner({ ...stores, senders }),
  });

  return function pressLink(place, what) {
    const { channel, watch, link } = place;
    if (link.action === 'confirm') {
      return what === presses.confirm.act ? confirm(channel) : notValid;
    }
    if (what === presses.stopAll.act) return stopAll(channel);
    if (what === presses.lift.act) return lift(channel);
    if (what === presses.resumeAll.act) return resumeAll(channel);
    if (what === presses.snoozeAll.act) return snoozeAll(channel);
    if (what === presses.unsnoozeAll.act) return unsnoozeAll(channel);
    if (!watch) return notValid;
    if (what === presses.snooze.act) return silence(channel, watch, deps.now() + snoozeMs);
    if (what === presses.stopWatch.act) return silence(channel, watch, forever);
    return what === presses.resumeWatch.act ? resumeWatch(channel, watch) : notValid;
  };

  async function confirm(channel: Channel): Promise<LinkPage> {
    await manage.confirmed(channel, deps.now());
    const after = await stores.channels.find(channel.channelId);
    if (after?.status !== 'active') return notConfirmable;
    const lines = ['Price alerts are sent here from now on. Each message has a link to stop them.'];
    return { title: 'Confirmed', lines, presses: [] };
  }

  async function stopAll({ channelId }: Channel): Promise<LinkPage> {
    const to = { status: 'unsubscribed' } as const;
    // An unconfirmed address is left out: it gets nothing, and enabling it again would confirm it.
    await deps.stores.channels.changeStatus(channelId, ['active', 'disabled'], to);
    const after = await stores.channels.find(channelId);
    if (after) await tellUnreached({ channel: after, loss: 'unsubscribed' }, deps.now());
    const lines = ['Nothing more comes here.'];
    return { title: 'Stopped', lines, presses: [presses.resumeAll] };
  }

  async function resumeAll({ channelId }: Channel): Promise<LinkPage> {
    const to = { status: 'active' } as const;
    await deps.stores.channels.changeStatus(channelId, ['unsubscribed'], to);
    return onAgain(presses.stopAll);
  }

  async function snoozeAll({ channelId }: Channel): Promise<LinkPage> {
    await stores.channels.silenceWatch(channelId, everyWatch, deps.now() + snoozeMs);
    return {
      title: 'Snoozed for 24 hours',
      lines: [
        'Alerts of that time are recorded and not sent here. Other channels are not affected.',
      ],
      presses: [presses.unsnoozeAll, presses.stopAll],
    };
  }

  async function unsnoozeAll({ channelId }: Channel): Promise<LinkPage> {
    await stores.channels.silenceWatch(channelId, everyWatch, 0);
    return onAgain(presses.snoozeAll, presses.stopAll);
  }

  /** The reader lifts the block of the address: a complaint, or a bounce of a mailbox that works again. */
  async function lift(channel: Channel): Promise<LinkPage> {
    const suppression = await findSuppression(channel);
    if (suppression && !(await deps.stores.suppressions.lift(suppression, deps.now()))) {
      return notValid;
    }
    const { channelId, disabledReason } = channel;
    const isOffForAddress = disabledReason?.startsWith('address_') ?? false;
    const from = isOffForAddress
      ? (['disabled', 'unsubscribed'] as const)
      : (['unsubscribed'] as const);
    await deps.stores.channels.changeStatus(channelId, from, { status: 'active' });
    return onAgain(presses.stopAll);
  }

  async function silence({ channelId }: Channel, watch: Watch, until: number): Promise<LinkPage> {
    const { watchId } = watch;
    await deps.stores.channels.silenceWatch(channelId, watchId, until);
    const act = until === forever ? presses.stopWatch.act : presses.snooze.act;
    await noteLinkPress(stores, { watch, channelId, act }, deps.now());
    const after = await stores.channels.find(channelId);
    // A snooze ends by itself within a day; until then the watch's trouble shows it.
    if (after && until === forever) {
      await tellUnreached({ channel: after, loss: 'muted', watchId }, deps.now());
    }
    const lines = ['Other watches, and other channels of this watch, are not affected.'];
    const title = until === forever ? 'Stopped: this watch' : 'Snoozed for 24 hours: this watch';
    return { title, lines, presses: [presses.resumeWatch, presses.stopAll] };
  }

  async function resumeWatch({ channelId }: Channel, watch: Watch): Promise<LinkPage> {
    await deps.stores.channels.silenceWatch(channelId, watch.watchId, 0);
    await noteLinkPress(stores, { watch, channelId, act: presses.resumeWatch.act }, deps.now());
    const lines = ['Alerts of this watch are sent here again.'];
    return { title: 'On again', lines, presses: [presses.stopWatch] };
  }
}
