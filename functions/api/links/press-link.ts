// Carries out what a button of a link's page says. A repeat changes nothing more.
import type { Channel } from '#shared/delivery/channel.ts';
import { suppressionOf } from '#shared/delivery/channel-condition.ts';
import { everyWatch, forever } from '#shared/watchlist/channel.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import type { ApiDeps } from '../api-deps.ts';
import { createManageChannels } from '../channels/manage-channels.ts';
import { createChannelActs } from './channel-acts.ts';
import type { LinkPage } from './link-page.ts';
import type { ChannelPlace } from './link-place.ts';
import { notConfirmable, notValid, noWatch, onAgain, presses } from './link-presses.ts';
import { noteLinkPress } from './note-link-press.ts';
import { pageOf } from './show-link.ts';

const snoozeMs = 24 * 3_600_000;

/** @returns the page that says what is so then; `notValid` for a button that the page does not have. */
export type PressLink = (place: ChannelPlace, what: string) => Promise<LinkPage>;

/** The use case. */
export function createPressLink(
  deps: Pick<ApiDeps, 'stores' | 'senders' | 'links' | 'now'>,
): PressLink {
  const manage = createManageChannels(deps);
  const channelActs = createChannelActs(deps);
  const { stores } = deps;
  const findSuppression = (channel: Channel) =>
    suppressionOf({ findSuppression: stores.suppressions.find }, channel);

  return async function pressLink(place, what) {
    const page = await carryOut(place, what);
    if (page === notValid || page === noWatch || place.link.action === 'confirm') return page;
    const after = await stores.channels.find(place.channel.channelId);
    // The page must not promise alerts that do not come, nor a silence that is not there.
    return after && !(await isSo(after, what)) ? pageOf(deps, { ...place, channel: after }) : page;
  };

  async function isSo(channel: Channel, what: string): Promise<boolean> {
    if (what === presses.stopAll.act) return channel.status === 'unsubscribed';
    if (channel.status !== 'active' || (await findSuppression(channel))) return false;
    const areAllSilent = (channel.watchesSilentUntil[everyWatch] ?? 0) > deps.now();
    return areAllSilent === (what === presses.snoozeAll.act);
  }

  async function carryOut(place: ChannelPlace, what: string): Promise<LinkPage> {
    const { channel, watch, link } = place;
    if (link.action === 'confirm') {
      return what === presses.confirm.act ? confirm(channel) : notValid;
    }
    if (what === presses.stopAll.act) return stopAll(channel);
    if (what === presses.lift.act) return lift(channel);
    if (what === presses.resumeAll.act) return resumeAll(channel);
    if (what === presses.snoozeAll.act) return snoozeAll(channel);
    if (what === presses.unsnoozeAll.act) return unsnoozeAll(channel);
    if (!isWatchPress(what)) return notValid;
    if (!watch) return noWatch;
    if (what === presses.snooze.act) return silence(channel, watch, deps.now() + snoozeMs);
    if (what === presses.stopWatch.act) return silence(channel, watch, forever);
    return resumeWatch(channel, watch);
  }

  async function confirm(channel: Channel): Promise<LinkPage> {
    await manage.confirmed(channel, deps.now());
    const after = await stores.channels.find(channel.channelId);
    if (after?.status !== 'active') return notConfirmable;
    const lines = ['Price alerts are sent here from now on. Each message has a link to stop them.'];
    return { title: 'Confirmed', lines, presses: [] };
  }

  async function stopAll(channel: Channel): Promise<LinkPage> {
    await channelActs.stopAll(channel);
    const lines = ['Nothing more comes here.'];
    return { title: 'Stopped', lines, presses: [presses.resumeAll] };
  }

  async function resumeAll(channel: Channel): Promise<LinkPage> {
    await channelActs.resumeAll(channel);
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
    const isLifted =
      suppression === undefined || (await stores.suppressions.lift(suppression, deps.now()));
    if (!isLifted) return onAgain(presses.stopAll);
    const { channelId, disabledReason } = channel;
    const isOffForAddress = disabledReason?.startsWith('address_') ?? false;
    const from = isOffForAddress
      ? (['disabled', 'unsubscribed'] as const)
      : (['unsubscribed'] as const);
    await stores.channels.changeStatus(channelId, from, { status: 'active' });
    return onAgain(presses.stopAll);
  }

  async function silence(channel: Channel, watch: Watch, until: number): Promise<LinkPage> {
    const { channelId } = channel;
    await channelActs.silence(channel, watch.watchId, until);
    const act = until === forever ? presses.stopWatch.act : presses.snooze.act;
    await noteLinkPress(stores, { watch, channelId, act }, deps.now());
    const lines = ['Other watches, and other channels of this watch, are not affected.'];
    const title = until === forever ? 'Stopped: this watch' : 'Snoozed for 24 hours: this watch';
    return { title, lines, presses: [presses.resumeWatch, presses.stopAll] };
  }

  async function resumeWatch(channel: Channel, watch: Watch): Promise<LinkPage> {
    const { channelId } = channel;
    await channelActs.silence(channel, watch.watchId, 0);
    await noteLinkPress(stores, { watch, channelId, act: presses.resumeWatch.act }, deps.now());
    const lines = ['Alerts of this watch are sent here again.'];
    return { title: 'On again', lines, presses: [presses.stopWatch] };
  }
}

function isWatchPress(what: string): boolean {
  const { snooze, stopWatch, resumeWatch } = presses;
  return [snooze, stopWatch, resumeWatch].some(({ act }) => act === what);
}
