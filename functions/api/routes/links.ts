// The pages behind the links in messages: confirm an address, stop or snooze. A GET shows a page and
// changes nothing, because mail scanners follow links; a POST acts. No key is needed: the link is signed.
import { type Context, Hono } from 'hono';
import type { Channel } from '#shared/delivery/channel.ts';
import { suppressionOf } from '#shared/delivery/channel-condition.ts';
import type { Link } from '#shared/delivery/links.ts';
import { channelTitle } from '#shared/delivery/message/channel-title.ts';
import { nameText } from '#shared/delivery/message/plain-text.ts';
import { suppressionWords } from '#shared/delivery/suppression.ts';
import { createTellOwner } from '#shared/delivery/tell-owner.ts';
import { createFindUnreached, createTellUnreached } from '#shared/delivery/unreached.ts';
import { ruleSentence } from '#shared/rules/words/sentence.ts';
import { everyWatch, forever } from '#shared/watchlist/channel.ts';
import { isStorableId } from '#shared/watchlist/id.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import type { ApiDeps } from '../api-deps.ts';
import {
  factsLine,
  type LinkPage,
  type Press,
  placeLine,
  renderLinkPage,
} from '../channels/link-page.ts';
import { createManageChannels } from '../channels/manage-channels.ts';
import { noteLinkPress } from '../channels/note-link-press.ts';

type LinkDeps = Pick<ApiDeps, 'stores' | 'senders' | 'links' | 'now'>;

/** The target of a link. */
interface Place {
  link: Link;
  channel: Channel;
  /** The watch that the message was about, if it exists and belongs to the channel's owner. */
  watch: Watch | undefined;
}

const snoozeMs = 24 * 3_600_000;

/** Every button that a page may have. */
export const presses = {
  confirm: { act: 'confirm', label: 'Yes, send price alerts here' },
  snooze: { act: 'snooze', label: 'Snooze this watch here for 24 hours' },
  snoozeAll: { act: 'snooze_all', label: 'Snooze all alerts here for 24 hours' },
  stopWatch: { act: 'stop_watch', label: 'Stop alerts of this watch here' },
  stopAll: { act: 'stop_all', label: 'Stop all messages here' },
  resumeWatch: { act: 'resume_watch', label: 'Undo: send alerts of this watch here again' },
  unsnoozeAll: { act: 'unsnooze_all', label: 'Undo: send alerts here again' },
  resumeAll: { act: 'resume_all', label: 'Undo: send alerts here again' },
  lift: { act: 'lift', label: 'Yes, send price alerts here again' },
} as const satisfies Record<string, Press>;

const notConfirmable: LinkPage = {
  title: 'Nothing to confirm',
  lines: ['Alerts were stopped or switched off here. Undo it by the link in an earlier message.'],
  presses: [],
};

const notValid: LinkPage = {
  title: 'This link no longer works',
  lines: ['The link may be too old or incomplete. Use the link of a newer message.'],
  presses: [],
};

/** We made the link, so its channel was there: its owner has deleted it, or everything. */
const deleted: LinkPage = {
  title: 'Deleted',
  lines: [
    'What this link was for has been deleted, and its address with it. Nothing more comes here.',
  ],
  presses: [],
};

function onAgain(...offered: Press[]): LinkPage {
  return { title: 'On again', lines: ['Alerts come here again.'], presses: offered };
}

/** Routes under /l. */
export function linkRoutes(deps: LinkDeps) {
  const router = new Hono();
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

  router.get('/:token', async (context) => {
    const place = await findPlace(deps, context.req.param('token'), context.req.query('w'));
    if (!place) return context.html(renderLinkPage(notValid), 404);
    if (place === 'deleted') return context.html(renderLinkPage(deleted));
    return context.html(renderLinkPage(await pageOf(deps, place)));
  });

  router.post('/:token', async (context) => {
    const place = await findPlace(deps, context.req.param('token'), context.req.query('w'));
    if (!place) return context.html(renderLinkPage(notValid), 404);
    if (place === 'deleted') return context.html(renderLinkPage(deleted));
    const page = await act(place, await readPress(context));
    return context.html(renderLinkPage(page), page === notValid ? 400 : 200);
  });

  function act(place: Place, what: string): Promise<LinkPage> | LinkPage {
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
  }

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
  return router;
}

/** The button that was pressed; '' for a body that is not a form. */
async function readPress({ req }: Context): Promise<string> {
  const form = await req.parseBody().catch(() => ({}) as Record<string, unknown>);
  return form['List-Unsubscribe'] === 'One-Click' ? presses.stopAll.act : String(form.do ?? '');
}

async function findPlace(
  { stores, links, now }: LinkDeps,
  token: string,
  watchId: string | undefined,
): Promise<Place | 'deleted' | undefined> {
  const link = await links.read(token, now());
  if (!link) return undefined;
  const channel = await stores.channels.find(link.channelId);
  if (!channel) return 'deleted';
  const isId = watchId !== undefined && watchId !== '' && isStorableId(watchId);
  const watch = isId ? await stores.watches.find(watchId) : undefined;
  return { link, channel, watch: watch?.ownerId === channel.ownerId ? watch : undefined };
}

async function pageOf({ stores, now }: LinkDeps, place: Place): Promise<LinkPage> {
  const { link, channel, watch } = place;
  if (link.action === 'confirm') {
    if (channel.status === 'active') {
      return { title: 'This is confirmed already', lines: [placeLine(channel)], presses: [] };
    }
    if (channel.status !== 'unverified') return notConfirmable;
    return { title: 'Price alerts here?', lines: [placeLine(channel)], presses: [presses.confirm] };
  }
  const suppression = await suppressionOf({ findSuppression: stores.suppressions.find }, channel);
  if (suppression && channel.status !== 'unverified') {
    const line = `No mail is sent to this address, because ${suppressionWords(suppression)}.`;
    return { title: 'Mail is blocked', lines: [line], presses: [presses.lift] };
  }
  if (channel.status === 'unsubscribed') {
    const lines = [`No more messages are sent to your ${nameText(channelTitle(channel))}.`];
    return { title: 'Stopped', lines, presses: [presses.resumeAll] };
  }
  if ((channel.watchesSilentUntil[everyWatch] ?? 0) > now()) {
    const lines = [`Alerts to your ${nameText(channelTitle(channel))} are snoozed.`];
    return { title: 'Snoozed', lines, presses: [presses.unsnoozeAll, presses.stopAll] };
  }
  if (!watch) {
    const lines = [placeLine(channel)];
    return { title: 'Your alerts', lines, presses: [presses.snoozeAll, presses.stopAll] };
  }
  const facts = await stores.eventFacts.find(watch.eventId);
  const isSilent = (channel.watchesSilentUntil[watch.watchId] ?? 0) > now();
  return {
    title: nameText(watch.name ?? facts?.name ?? `Event ${watch.eventId}`),
    lines: [
      ...(facts ? [factsLine(facts)] : []),
      ...watch.rules.map(({ rule }) => nameText(ruleSentence(rule), 1_000)),
      placeLine(channel),
    ],
    presses: isSilent
      ? [presses.resumeWatch, presses.stopAll]
      : [presses.snooze, presses.snoozeAll, presses.stopWatch, presses.stopAll],
  };
}
