// The sender against an emulated receiver of each kind: what we send is accepted and shown, too fast is put off,
// and nothing secret of the request stays in what is recorded.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSendWebhook } from '#functions/send-webhook/send-webhook.ts';
import type { Outgoing, SendPace } from '#shared/delivery/channels/channel-kind.ts';
import { httpFormOf, kindOf } from '#shared/delivery/channels/channels.ts';
import { newDelivery } from '#shared/delivery/delivery.ts';
import { firedAt } from '#test/support/alerts.ts';
import { aChannel } from '#test/support/delivering.ts';
import { goldenOutgoing } from '#test/support/golden-messages.ts';
import { messageNaming, sampleOutgoing } from '#test/support/messages.ts';
import { type ReceiverPlace, receiverPlaces } from '#test/support/receivers/places.ts';
import { postTo } from '#test/support/receivers/receiver.ts';
import { withBot } from '#test/support/telegram.ts';

const kinds = Object.keys(receiverPlaces) as (keyof typeof receiverPlaces)[];
const samples = Object.entries(goldenOutgoing);

function senderTo({ receiver, target }: ReceiverPlace, now: () => number) {
  const send = createSendWebhook({ ...withBot, post: postTo(receiver, now), now });
  const channel = aChannel({ target });
  return ({ message, told, heldFor }: Pick<Outgoing, 'message' | 'told' | 'heldFor'>, id = '1') =>
    send(
      { message, told: [...told], leftOut: [], heldFor },
      channel,
      newDelivery(
        {
          ...{ deliveryId: `dlv_${id.padStart(32, '0')}`, purpose: 'alert', ownerId: 'own_1' },
          ...{ channelId: channel.channelId, channelKind: target.kind },
        },
        { now: firedAt },
      ),
    );
}

/** Of a kind with several paces, the one that lets the fewest messages through. */
function slowestPaceOf({ target }: ReceiverPlace): SendPace {
  const row = kindOf(target);
  const paces = [...(row.pace ? [row.pace] : []), ...(row.sharedPacesOf?.(target) ?? [])];
  const [slowest] = paces.sort((a, b) => a.messages / a.perMs - b.messages / b.perMs);
  if (!slowest) throw new Error(`${row.kind} has no pace`);
  return slowest;
}

describe.each(kinds)('%s', (kind) => {
  it.each(samples)(
    'accepts the message %s and shows its headline’s number',
    async (name, sample) => {
      const place = receiverPlaces[kind]();
      expect(await senderTo(place, () => firedAt)(sample)).toMatchObject({ kind: 'sent' });
      const [shown, ...others] = place.receiver.messages;
      expect(others).toEqual([]);
      const [, number = ''] = /(\$\d+)/.exec(sample.message.headline) ?? [];
      expect(shown?.text, name).toContain(number);
      expect(shown?.text).not.toContain('undefined');
    },
  );

  it('leads to tickets, to the alert’s page and to the page that stops messages', async () => {
    const place = receiverPlaces[kind]();
    await senderTo(place, () => firedAt)(sampleOutgoing.level as Outgoing);
    const urls = place.receiver.messages[0]?.marks.map(({ url }) => url);
    expect(urls).toEqual(
      expect.arrayContaining([
        'https://www.ticketmaster.com/event/G5',
        'https://getin.example/l/token/alt_00000000000000000000000000000001_1',
        'https://getin.example/l/token',
      ]),
    );
  });

  it('accepts any names in any number of alerts', () => {
    const { target } = receiverPlaces[kind]();
    const form = httpFormOf(target);
    const part = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc
        .constantFrom('"', '\\', '&', '<', '*', 'é', '中', '👨‍👩‍👧‍👦', ':')
        .map((text) => text.repeat(300)),
    );
    fc.assert(
      fc.property(part, fc.constantFrom(1, 2, 60), (name, count) => {
        const { receiver } = receiverPlaces[kind]();
        const message = messageNaming(name, count);
        const outgoing = { ...(sampleOutgoing.level as Outgoing), message };
        const request = form.request(outgoing, target, firedAt);
        const plainer = form.plainerBody?.(message, target) ?? request.body;
        for (const [nth, body] of [request.body, plainer].entries()) {
          const answer = receiver.answer({ ...request, body }, firedAt + nth * 60_000);
          expect(form.judge(answer, firedAt).kind, answer.excerpt).toBe('sent');
        }
        for (const { text } of receiver.messages) expect(text.isWellFormed()).toBe(true);
      }),
      { numRuns: 25 },
    );
  });

  it('takes messages at our pace', async () => {
    let now = firedAt;
    const place = receiverPlaces[kind]();
    const send = senderTo(place, () => now);
    const { messages, perMs } = slowestPaceOf(place);
    for (let window = 0; window < 20; window += 1) {
      now = firedAt + window * perMs;
      for (let nth = 0; nth < messages; nth += 1) {
        const sent = await send(sampleOutgoing.test as Outgoing, `${window * 100 + nth}`);
        expect(sent).toMatchObject({ kind: 'sent' });
      }
    }
    expect(place.receiver.messages).toHaveLength(20 * messages);
  });

  it('is told to wait when messages come too fast, and takes the next one after that wait', async () => {
    let now = firedAt;
    const place = receiverPlaces[kind]();
    const send = senderTo(place, () => now);
    if (kind === 'pushover') return;
    for (let nth = 0; nth < 200; nth += 1) {
      const sent = await send(sampleOutgoing.test as Outgoing, `${nth}`);
      if (sent.kind === 'sent') continue;
      expect(sent).toMatchObject({ kind: 'throttled', afterMs: expect.any(Number) });
      now += (sent.kind === 'throttled' && sent.afterMs) || 0;
      expect(await send(sampleOutgoing.test as Outgoing, 'last')).toMatchObject({ kind: 'sent' });
      return;
    }
    throw new Error(`${kind} takes 200 messages at once`);
  });
});
