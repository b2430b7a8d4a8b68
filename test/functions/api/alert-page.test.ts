// The page of an alert: what it says in each state, and what it is opened for.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everyWatch, forever } from '#shared/watchlist/channel.ts';
import {
  actsOf,
  alertedWatch,
  alertOf,
  openPage,
  pageOf,
  press,
  watchOf,
} from '#test/support/alert-pages.ts';
import { type Api, anyVersion, levelRule, startApi, startMs } from '#test/support/api.ts';

let api: Api;

beforeAll(async () => {
  api = await startApi({
    requestLimit: { requests: 1_000_000, windowSeconds: 60 },
    buyLinks: [{ label: 'SeatGeek', url: 'https://seatgeek.com/search?q={event_name}' }],
  });
});
afterAll(() => api.stop());

const dayMs = 86_400_000;
const everything = ['bought', 'new_low', 'level', 'snooze', 'stop_watch', 'stop_all'];
const facts = {
  ...{ name: 'Knicks at Heat', date: '2026-03-07', time: '19:30', venueName: 'Kaseya Center' },
  ...{ venueCity: 'Miami', tmEventId: 'G5vYZ9VCrkz1h', updatedAt: startMs },
};

describe('the page of an alert', () => {
  it('says what is true now: event, price, alert, rule, watch and channel', async () => {
    const { page, eventId } = await alertedWatch(api, { price: 70.3, watch: { name: 'Finals' } });
    await api.stores.eventFacts.keep({ eventId, ...facts });
    api.clock.now += 12 * 60_000;
    const { status, text } = await openPage(api, page);
    api.clock.now = startMs;
    expect([status, text]).toEqual([
      200,
      expect.stringContaining(
        [
          'Knicks at Heat Sat, Mar 7, 2026, 7:30 PM · Kaseya Center, Miami',
          '$70.30 Get-in · 12 min ago · 5% below the alert · your level is $80',
          'Tickets at Ticketmaster Tickets at SeatGeek',
          'At the alert $74 on Mar 1, 12:00 PM UTC',
          'Rule Get-in at or below $80',
          'Watch On (Finals)',
          'Channel Alerts go to your email channel (ann@example.com)',
        ].join(' '),
      ),
    ]);
  });

  it('leads to tickets, and does not tell them its own address', async () => {
    const { page, eventId } = await alertedWatch(api);
    await api.stores.eventFacts.keep({ eventId, ...facts });
    const { html, headers } = await openPage(api, page);
    expect([...html.matchAll(/<a class="button[^>]*>/g)].map(([tag]) => tag)).toEqual([
      '<a class="button primary" href="https://www.ticketmaster.com/event/G5vYZ9VCrkz1h" rel="noopener noreferrer">',
      '<a class="button" href="https://seatgeek.com/search?q=Knicks%20at%20Heat" rel="noopener noreferrer">',
    ]);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('asks first what it was opened for, with one button, and the price of a purchase', async () => {
    const { page } = await alertedWatch(api);
    const { text, forms } = await openPage(api, `${page}?do=bought`);
    expect(text).toContain(
      'Bought it? Ends the watch: no more alerts of it, on any channel. You can undo it. Price of one ticket (optional) $ Bought it',
    );
    expect(forms[0]).toMatchObject({ act: 'bought', fields: { paid: '' } });
    expect(forms.filter(({ act }) => act === 'bought')).toHaveLength(1);
    expect(forms.map(({ act }) => act).sort()).toEqual([...everything].sort());
  });

  it('says what each change of the rule sets', async () => {
    const { page } = await alertedWatch(api, { rule: levelRule(120) });
    const { text } = await openPage(api, page);
    expect(text).toContain('Changes the rule to “Get-in below $74”. Silent until a new low');
    expect(text).toContain('Changes the rule to “Get-in at or below $114”. The price is beyond it');
  });

  it.each(['nothing', '', 'confirm', '__proto__', 'snooze_all'])(
    'is the plain page when it is opened for “%s”',
    async (act) => {
      const { page } = await alertedWatch(api);
      expect((await openPage(api, `${page}?do=${act}`)).html).toBe(
        (await openPage(api, page)).html,
      );
    },
  );

  const channelStatus = (status: 'disabled' | 'unsubscribed') =>
    api.stores.channels.changeStatus(api.ann.channelId, ['active'], { status });

  it.each<[string, string, string[], (watchId: string) => Promise<unknown>]>([
    ['as it alerted', 'Watch On', everything, async () => undefined],
    [
      'paused',
      'Watch Paused: it raises no alerts',
      everything,
      (id) => api.call(`/v1/watches/${id}/pause`, { method: 'POST' }),
    ],
    [
      'snoozed everywhere',
      'Watch Snoozed until Mar 1, 1:00 PM UTC',
      everything,
      (id) => api.call(`/v1/watches/${id}/snooze`, { body: { minutes: 60 } }),
    ],
    [
      'snoozed here',
      'Channel Alerts of this watch are snoozed here until Mar 2, 12:00 PM UTC',
      ['resume_watch', 'bought', 'new_low', 'level', 'stop_all'],
      (id) => api.stores.channels.silenceWatch(api.ann.channelId, id, startMs + dayMs),
    ],
    [
      'stopped here',
      'Channel Alerts of this watch are stopped for your email channel (ann@example.com)',
      ['resume_watch', 'bought', 'new_low', 'level', 'stop_all'],
      (id) => api.stores.channels.silenceWatch(api.ann.channelId, id, forever),
    ],
    [
      'on a channel that is snoozed',
      'Channel All alerts are snoozed here until Mar 2, 12:00 PM UTC',
      everything,
      () => api.stores.channels.silenceWatch(api.ann.channelId, everyWatch, startMs + dayMs),
    ],
    [
      'on a channel that is stopped',
      'Channel Stopped: nothing more is sent to your email channel (ann@example.com)',
      ['resume_all', 'bought', 'new_low', 'level'],
      () => channelStatus('unsubscribed'),
    ],
    [
      'on a channel that is switched off',
      'Channel Nothing is sent to your email channel (ann@example.com): it is switched off',
      everything,
      () => channelStatus('disabled'),
    ],
    [
      'bought',
      'Watch Ended: you bought a ticket for $90 on Mar 1, 12:00 PM UTC',
      ['undo_bought', 'stop_all'],
      async (id) =>
        press(api, await pageOf(api, alertOf(await watchOf(api, id))), 'bought', { paid: '90' }),
    ],
    [
      'over',
      'Watch Ended: the event is over',
      ['stop_all'],
      async (id) => {
        const { eventId } = await watchOf(api, id);
        await api.stores.eventFacts.keep({ eventId, ...facts, date: '2026-02-20' });
      },
    ],
    [
      'deleted',
      'Watch Deleted on Mar 1, 12:00 PM UTC',
      ['stop_all'],
      (id) => api.call(`/v1/watches/${id}`, { method: 'DELETE', headers: anyVersion }),
    ],
    ['gone', 'Watch Deleted Channel', ['stop_all'], (id) => api.stores.watches.remove(id)],
  ])(
    'of a watch that is %s says so, and offers what makes sense',
    async (_, words, acts, happen) => {
      const { page, watchId } = await alertedWatch(api, { rule: levelRule(120) });
      await happen(watchId);
      const seen = await openPage(api, page);
      await api.stores.channels.changeStatus(api.ann.channelId, ['disabled', 'unsubscribed'], {
        status: 'active',
      });
      await api.stores.channels.silenceWatch(api.ann.channelId, everyWatch, 0);
      expect(seen.text).toContain(words);
      expect(actsOf(seen)).toEqual(acts);
    },
  );

  it.each<[string, object, number | null, string]>([
    ['a price that is gone', levelRule(80), null, 'None Get-in · nothing is for sale · 0 sec ago'],
    ['a number of listings', { type: 'supply', at_or_below: 60 }, 74, '50 Active listings · 0 sec'],
    ['a rate', { type: 'fill_rate', at_or_above: 30 }, 74, '40% Fill rate'],
  ])('tells %s', async (_, rule, price, words) => {
    const { page } = await alertedWatch(api, { rule, price, alert: { base: 60 } });
    expect((await openPage(api, page)).text).toContain(words);
  });

  it.each([
    ['a recovery', { role: 'recovery' as const }],
    ['an alert that there is no price any more', { role: 'no_data' as const }],
  ])('of %s offers no change of the rule', async (_, alert) => {
    const { page } = await alertedWatch(api, { alert });
    expect(actsOf(await openPage(api, page))).toEqual([
      'bought',
      'snooze',
      'stop_watch',
      'stop_all',
    ]);
  });

  it('shows what the market named as text, whatever it is', async () => {
    const hostile = '<script>alert(1)</script>"\'&amp;{{x}}\u202e\u0000</style><img src=x>';
    const rule = { ...levelRule(80), zone: hostile.replace('\u0000', '') };
    const { page, eventId } = await alertedWatch(api, { rule, watch: { name: hostile } });
    await api.stores.eventFacts.keep({ eventId, ...facts, name: hostile, venueName: hostile });
    const { text, headers } = await openPage(api, page);
    expect(text).toContain('<script>alert(1)</script>"\'&amp;{{x}}');
    expect(headers.get('content-type')).toBe('text/html; charset=UTF-8');
  });
});
