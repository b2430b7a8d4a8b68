// Edits as send-webhook makes them, at the emulated chats: what their readers see then.
import { describe, expect, it } from 'vitest';
import { createEditWebhook } from '#functions/send-webhook/edit-webhook.ts';
import { createSendWebhook } from '#functions/send-webhook/send-webhook.ts';
import type { Alert } from '#shared/alerts/alert.ts';
import {
  channelKinds,
  httpFormOf,
  isHttpTarget,
  kindOf,
} from '#shared/delivery/channels/channels.ts';
import { type Delivery, newDelivery } from '#shared/delivery/delivery.ts';
import { type EpisodeState, livingMessageOf } from '#shared/delivery/episodes/living-message.ts';
import { prepareEdit } from '#shared/delivery/episodes/prepare-edit.ts';
import type { GuardedPost } from '#shared/delivery/outbound/guarded-post.ts';
import { RefusedAddressError } from '#shared/delivery/outbound/guarded-post.ts';
import { createPrepareMessage } from '#shared/delivery/prepare-message.ts';
import { aListingAlert, anAlert, firedAt, hostileNames } from '#test/support/alerts.ts';
import { signedLinks } from '#test/support/api.ts';
import { aChannel } from '#test/support/delivering.ts';
import { receiverPlaces } from '#test/support/receivers/places.ts';
import { postTo } from '#test/support/receivers/receiver.ts';
import { withBot } from '#test/support/telegram.ts';

const now = () => firedAt + 60_000;
const sentAt = firedAt + 1_000;
const stopUrl = await signedLinks.manageUrl(aChannel().channelId);

/** Every kind whose messages can be changed. */
const editable = channelKinds.flatMap((kind) => {
  if (kind === 'email' || kind === 'webhook') return [];
  return httpFormOf({ kind }).edits ? [kind] : [];
});
type Editable = (typeof editable)[number];

const reached = (alert: Alert): EpisodeState => ({
  ...{ kind: 'reached', value: alert.base, at: alert.observedAt },
});
const low: EpisodeState = { kind: 'new_low', value: 7_000, at: firedAt };
const back: EpisodeState = { kind: 'went_back', value: 9_500, at: firedAt };

/** A message that was sent to a chat; `edit` changes it to what it tells in a state. */
async function sentTo(
  kind: Editable,
  { alert = anAlert(), ...also }: { alert?: Alert } & Partial<Pick<Delivery, 'heldFor'>> = {},
) {
  const { receiver, target } = receiverPlaces[kind]();
  const channel = aChannel({ target: target as never, stopUrl });
  const { channelId, ownerId } = channel;
  const parts = { deliveryId: `dlv_${'1'.repeat(32)}`, purpose: 'alert', ownerId } as const;
  const delivery: Delivery = {
    ...newDelivery({ ...parts, channelId, channelKind: kind }, { now: sentAt }),
    ...{ alertIds: new Set([alert.alertId]), ...also },
  };
  const prepare = createPrepareMessage({
    buyLinks: [],
    findAlert: async () => alert,
    findOwner: async () => undefined,
    whyNoNews: async () => undefined,
  });
  const post = postTo(receiver, now);
  const prepared = await prepare(delivery, channel, sentAt);
  const outcome = await createSendWebhook({ post, ...withBot, now })(prepared, channel, delivery);
  if (outcome.kind !== 'sent' || outcome.receipt === undefined) throw new Error('no receipt');
  const { receipt } = outcome;
  const { heldFor, createdAt, deliveryId, dueAt } = delivery;
  const sent = {
    ...{ channelId, deliveryId, dueAt, receipt },
    ...(heldFor && { held: { reason: heldFor, since: createdAt } }),
  };
  const message = livingMessageOf(alert, sent, sentAt);
  return {
    receiver,
    edit(state: EpisodeState, { by = post, at = channel } = {}) {
      const parts = { message, alert, state, channel: at, owner: undefined, now: now() };
      const editWebhook = createEditWebhook({ post: by, address: withBot.address, now });
      return editWebhook(prepareEdit(parts, []), at, receipt);
    },
  };
}

it('there are kinds that can edit', () => {
  expect(editable).toEqual(['slack_bot', 'discord', 'telegram', 'ntfy']);
});

describe.each(editable)('a message in %s', (kind) => {
  it.each<[string, Parameters<typeof sentTo>[1]]>([
    ['an alert', {}],
    ['an alert that was held', { heldFor: 'quiet_hours' }],
    ['an alert with listings', { alert: aListingAlert() }],
  ])('stays as it is when nothing has happened since: %s', async (_name, given) => {
    const { receiver, edit } = await sentTo(kind, given);
    const [before] = receiver.messages;
    const alert = given?.alert ?? anAlert();
    expect(await edit(reached(alert))).toEqual({ kind: 'edited' });
    expect(receiver.messages).toMatchObject([{ text: before?.text, marks: before?.marks }]);
  });

  it('says under its title what happened since, and is no new message', async () => {
    const { receiver, edit } = await sentTo(kind);
    expect(await edit(low)).toEqual({ kind: 'edited' });
    expect(receiver.messages).toHaveLength(1);
    expect({ sounds: 1, ...receiver.messages[0] }.sounds).toBe(1);
    const [title, since, ...rest] = receiver.messages[0]?.text.split('\n') ?? [];
    expect(title).toBe('$74 ▼ 18%: Knicks at Heat, Lower Bowl');
    expect(since).toBe('New low: $70 · Mar 1, 12:02 PM UTC');
    expect(rest.join('\n')).toContain('under your $80');
  });

  it('keeps its buttons, and strikes through what is over where texts have styles', async () => {
    const { receiver, edit } = await sentTo(kind);
    const marks = (wanted: string) =>
      receiver.messages.flatMap((message) => message.marks.filter((mark) => mark.kind === wanted));
    const buttons = marks('button');
    expect(buttons.length).toBeGreaterThan(1);
    await edit(low);
    const { length: styles } = marks('style');
    await edit(back);
    // In Slack only the value can be struck through, which is bold before that; ntfy has no styles.
    const isTitleStyled = kind === 'discord' || kind === 'telegram';
    expect(marks('style').length - styles).toBe(isTitleStyled ? 1 : 0);
    expect(receiver.messages[0]?.text).not.toMatch(/[~*]/);
    expect(receiver.messages[0]?.text).toContain('Went back to $95 · Mar 1, 12:02 PM UTC');
    expect(marks('button')).toEqual(buttons);
  });

  it.each(hostileNames.map((name) => [name.slice(0, 40), name]))(
    'fits in with the name %j',
    async (_, eventName) => {
      const { edit } = await sentTo(kind, { alert: { ...aListingAlert(20), eventName } });
      expect(await edit(back)).toEqual({ kind: 'edited' });
    },
  );

  it('is left alone when its address is refused, when nothing answers, and when it is gone', async () => {
    const { receiver, edit } = await sentTo(kind);
    const fails =
      (error: Error): GuardedPost =>
      async () =>
        Promise.reject(error);
    expect(await edit(low, { by: fails(new RefusedAddressError('address_not_public')) })).toEqual({
      ...{ kind: 'gone', reason: 'address_not_public' },
    });
    const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
    expect(await edit(low, { by: fails(reset) })).toEqual({
      ...{ kind: 'failed', reason: 'connection_closed' },
    });
    // Only ntfy does not know: it shows the message again, without a sound.
    const others = receiverPlaces[kind]().receiver;
    const gone = kind === 'ntfy' ? 'edited' : 'gone';
    expect(await edit(low, { by: postTo(others, now) })).toMatchObject({ kind: gone });
    expect(receiver.messages[0]?.text).not.toContain('New low');
  });
});

it('a message whose channel can’t edit any more is left alone', async () => {
  const { edit } = await sentTo('discord');
  const slack = aChannel();
  expect(isHttpTarget(slack.target) && kindOf(slack.target).kind).toBe('slack');
  expect(await edit(low, { at: slack })).toEqual({ kind: 'gone', reason: 'not_editable' });
});
