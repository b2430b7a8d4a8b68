// What feedback does to the channel that the mail went to: at once, once, and only for feedback of now.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { feedbackTime } from '#shared/delivery/mail-event.ts';
import { mailTags } from '#shared/delivery/mail-tags.ts';
import { chat, hook, hour, mail, minute, openDeliveries } from '#test/support/deliveries/setup.ts';
import { aChannel, below80, startMs } from '#test/support/delivering.ts';
import { openMailFeedback } from '#test/support/mail-feedback.ts';

const { opened, make } = openDeliveries();

const feedback = (message: unknown) =>
  openMailFeedback(opened.rig)(message, opened.rig.clock.now).then(() => opened.rig.drain());

/** A bounce or complaint about a mail, as SES tells of it. */
const about = (
  kind: 'bounce' | 'soft' | 'complaint',
  {
    deliveryId = 'dlv_unknown',
    at = opened.rig.clock.now as number | undefined,
    address = 'ann@example.com',
    channelId = mail.channelId,
  } = {},
) => {
  const tags = mailTags({ channelId, deliveryId }).map(({ Name, Value }) => [Name, [Value]]);
  const recipients = [{ emailAddress: address }];
  const timestamp = at === undefined ? undefined : new Date(at).toISOString();
  const common = { feedbackId: `f-${at}`, timestamp };
  return {
    mail: { tags: Object.fromEntries(tags) },
    ...(kind === 'complaint'
      ? { complaint: { ...common, complainedRecipients: recipients } }
      : {
          bounce: {
            ...{ ...common, bouncedRecipients: recipients },
            bounceType: kind === 'bounce' ? 'Permanent' : 'Transient',
            bounceSubType: kind === 'bounce' ? 'General' : 'MailboxFull',
          },
        }),
  };
};
const stored = (channelId = mail.channelId) => opened.tables.stores.channels.find(channelId);
const toChat = () => opened.rig.sent.filter(({ channelId }) => channelId === chat.channelId);
const notices = async () =>
  (await opened.rig.log()).flatMap(({ purpose, notice }) => (purpose === 'notice' ? notice : []));

describe('a bounce', () => {
  it('switches the channel off at once and tells the owner elsewhere, naming watches without another', async () => {
    await make(mail, chat);
    await opened.rig.watch([below80], [mail.channelId]);
    await opened.rig.watch([below80], [mail.channelId, chat.channelId]);
    await feedback(about('bounce'));

    expect(await stored()).toMatchObject({
      status: 'disabled',
      disabledReason: 'address_bounce',
    });
    expect(toChat()).toHaveLength(1);
    const [notice] = await notices();
    expect(notice?.headline).toBe('Mail is blocked: your email channel (a…@example.com)');
    expect(notice?.paragraphs[0]).toBe(
      'No mail is sent there, because a mail to it was returned as permanently undeliverable.',
    );
    expect(notice?.paragraphs[2]).toBe(
      '1 watch can’t alert you now. No other channel of these works: event 4711 (wat_00000000000000000000000000000001).',
    );
  });

  it('that comes five times is told once', async () => {
    await make(mail, chat);
    const bounce = about('bounce');
    for (let time = 0; time < 5; time += 1) await feedback(bounce);
    expect(await notices()).toHaveLength(1);
  });

  it('that comes while a send is under way, which then fails of it, is told once', async () => {
    await make(mail, chat);
    opened.rig.sendWith(async (_prepared, { channelId }) => {
      if (channelId !== mail.channelId) return { kind: 'sent' };
      await openMailFeedback(opened.rig)(about('bounce'), opened.rig.clock.now);
      return { kind: 'failed', reason: 'address_bounce', channelIs: 'gone' };
    });
    await opened.rig.fire(await opened.rig.watch([below80], [mail.channelId]));
    await opened.rig.drain();
    expect(await notices()).toHaveLength(1);
    expect((await stored())?.status).toBe('disabled');
  });

  it('sends the alerts of the mail by the fallback channel, once', async () => {
    await make({ ...mail, fallbackChannelId: hook.channelId }, hook);
    const watch = await opened.rig.watch([below80], [mail.channelId]);
    const alertId = await opened.rig.fire(watch);
    await opened.rig.drain();
    const deliveryId = opened.rig.sent[0]?.deliveryId ?? '';
    for (let time = 0; time < 3; time += 1) await feedback(about('bounce', { deliveryId }));

    const alerts = opened.rig.sent.flatMap(({ channelId, told }) =>
      told.map(({ alert }) => [channelId, alert.alertId]),
    );
    expect(alerts).toEqual([
      [mail.channelId, alertId],
      [hook.channelId, alertId],
    ]);
  });

  it('that may pass sends them too, and leaves the channel on', async () => {
    await make({ ...mail, fallbackChannelId: hook.channelId }, hook);
    await opened.rig.fire(await opened.rig.watch([below80], [mail.channelId]));
    await opened.rig.drain();
    const deliveryId = opened.rig.sent[0]?.deliveryId ?? '';
    await feedback(about('soft', { deliveryId }));

    expect(opened.rig.sent.map(({ channelId }) => channelId)).toEqual([
      mail.channelId,
      hook.channelId,
    ]);
    expect((await stored())?.status).toBe('active');
  });

  it.each([
    ['has another address now', { address: 'bob@example.com' }],
    ['is gone', { channelId: 'ch_00000000000000000000000000000bad' }],
  ])('leaves a channel alone that %s', async (_, changes) => {
    await make(mail, chat);
    await feedback(about('bounce', changes));
    expect((await stored())?.status).toBe('active');
    expect(await notices()).toEqual([]);
  });

  it.each(['disabled', 'unsubscribed'] as const)(
    'says nothing of a channel that is %s',
    async (status) => {
      await make({ ...mail, status }, chat);
      await feedback(about('bounce'));
      expect((await stored())?.status).toBe(status);
      expect(await notices()).toEqual([]);
    },
  );

  it('of a confirmation mail is told, and the address stays unconfirmed', async () => {
    await make({ ...mail, status: 'unverified' }, chat);
    await feedback(about('bounce'));
    expect((await stored())?.status).toBe('unverified');
    expect(await notices()).toHaveLength(1);
  });
});

describe('a complaint', () => {
  it('switches the channel off, and the alerts that it was about go nowhere else', async () => {
    await make({ ...mail, fallbackChannelId: hook.channelId }, hook);
    await opened.rig.fire(await opened.rig.watch([below80], [mail.channelId]));
    await opened.rig.drain();
    const deliveryId = opened.rig.sent[0]?.deliveryId ?? '';
    await feedback(about('complaint', { deliveryId }));

    expect((await stored())?.disabledReason).toBe('address_complaint');
    const told = opened.rig.sent.filter(({ told: alerts }) => alerts.length > 0);
    expect(told.map(({ channelId }) => channelId)).toEqual([mail.channelId]);
  });
});

describe('feedback from before a lift', () => {
  const lift = async () => {
    const { suppressions, channels } = opened.tables.stores;
    const found = await suppressions.find('ann@example.com');
    if (!found) throw new Error('nothing to lift');
    await suppressions.lift(found, opened.rig.clock.now);
    await channels.changeStatus(mail.channelId, ['disabled'], { status: 'active' });
  };
  const isBlocked = async () =>
    (await opened.tables.stores.suppressions.reasonFor('ann@example.com')) !== undefined;

  it.each(['bounce', 'complaint'] as const)('does not block again: a %s', async (kind) => {
    await make(mail, chat);
    await feedback(about('bounce'));
    const late = about(kind, { at: startMs + minute });
    opened.rig.clock.now += hour;
    await lift();
    await feedback(late);
    expect(await isBlocked()).toBe(false);
    expect((await stored())?.status).toBe('active');

    opened.rig.clock.now += hour;
    await feedback(about(kind));
    expect(await isBlocked()).toBe(true);
    expect((await stored())?.status).toBe('disabled');
  });

  it('does not count towards a limit of bounces that may pass', async () => {
    await make(mail);
    await feedback(about('bounce'));
    opened.rig.clock.now += hour;
    await lift();
    for (let time = 0; time < 9; time += 1) {
      await feedback(about('soft', { at: startMs + time * minute }));
    }
    opened.rig.clock.now += hour;
    await feedback(about('soft'));
    expect(await isBlocked()).toBe(false);
  });
});

describe('the time of feedback', () => {
  const now = Date.parse('2026-03-01T12:00:00Z');
  const timeOf = (answered: string | undefined, sent?: string) =>
    feedbackTime(
      {
        bounce: {
          ...{ bounceType: 'Permanent', bounceSubType: 'General', feedbackId: 'f' },
          bouncedRecipients: [],
          timestamp: answered,
        },
        mail: { timestamp: sent },
      },
      now,
    );

  it.each([
    ['2026-03-01T11:00:00.000Z', '2026-03-01T10:00:00.000Z', '2026-03-01T11:00:00.000Z'],
    ['1970-01-01T00:00:00.000Z', '2026-03-01T10:00:00.000Z', '2026-03-01T10:00:00.000Z'],
    ['2026-03-01T12:00:01.000Z', '2026-03-01T10:00:00.000Z', '2026-03-01T12:00:00.000Z'],
    ['2026-03-01T11:00:00.000Z', '2027-03-01T10:00:00.000Z', '2026-03-01T12:00:00.000Z'],
    ['2026-03-01T11:00:00.000Z', undefined, '2026-03-01T11:00:00.000Z'],
    [undefined, undefined, '2026-03-01T12:00:00.000Z'],
    ['yesterday', undefined, '2026-03-01T12:00:00.000Z'],
  ])('answered %s, sent %s, counts as %s', (answered, sent, expected) => {
    expect(new Date(timeOf(answered, sent)).toISOString()).toBe(expected);
  });

  it('is never in the future, whatever the event says', () => {
    const stamp = fc.oneof(
      fc.string(),
      fc.date({ noInvalidDate: true }).map((at) => at.toISOString()),
    );
    fc.assert(
      fc.property(stamp, stamp, (answered, sent) => {
        expect(timeOf(answered, sent)).toBeLessThanOrEqual(now);
      }),
    );
  });
});

it('of a channel with several of its kind leaves the others on', async () => {
  const other = aChannel({ ...mail, channelId: 'ch_00000000000000000000000000000004' });
  const elsewhere = { ...other, target: { kind: 'email', address: 'bea@example.com' } } as const;
  await make(mail, elsewhere);
  await feedback(about('bounce'));
  expect((await stored(elsewhere.channelId))?.status).toBe('active');
});
