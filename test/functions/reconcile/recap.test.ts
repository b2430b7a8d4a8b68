// The one message after an event: what its price did, what each rule told, what was paid, what it cost.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createApplyWatchChanges } from '#functions/reconcile/apply-watch-changes.ts';
import { createRecapBought } from '#functions/reconcile/recap-bought.ts';
import { recapOf } from '#functions/reconcile/recap-text.ts';
import { createTellRecap } from '#functions/reconcile/tell-recap.ts';
import type { Notice } from '#shared/polling/notice.ts';
import { createNotify } from '#shared/polling/notify.ts';
import { createApplyWatchChange } from '#shared/watchlist/apply-watch-change.ts';
import type { EventFacts } from '#shared/watchlist/event-facts.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import { anAlert } from '#test/support/alerts.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

const ownerId = 'own_00000000000000000000000000000abc';
const at = (iso: string) => Date.parse(iso);
const facts: EventFacts = {
  ...{ eventId: 4711, name: 'Knicks at Heat', date: '2026-03-07', time: '19:30' },
  ...{ timeZone: 'America/New_York', startsAt: at('2026-03-08T00:30:00Z') },
  updatedAt: at('2026-03-01T00:00:00Z'),
};
const record = {
  ...{ firstCents: 16_400, firstAt: at('2026-02-20T19:00:00Z') },
  ...{ lowCents: 7_000, lowAt: at('2026-03-05T19:41:00Z') },
  ...{ lastCents: 13_100, lastAt: at('2026-03-07T23:00:00Z') },
};
const watch: Watch = {
  watchId: 'wat_00000000000000000000000000000001',
  ...{ ownerId, eventId: 4711, name: 'Finals', channelIds: [], status: 'active' },
  rules: [
    {
      ruleId: 'rul_00000000000000000000000000000001',
      rule: { type: 'level', metric: 'get_in', zone: 'Lower Bowl', at_or_below: 80 },
      triggerIds: [],
    },
  ],
  ...{ latencySeconds: 3_600, version: 1 },
  ...{ createdAt: '2026-02-20T00:00:00.000Z', updatedAt: '2026-02-20T00:00:00.000Z' },
};
const bought = {
  ...{ at: at('2026-03-02T00:00:00Z'), alertId: 'alt_1', paidCents: 7_600 },
  statusBefore: 'active' as const,
};

describe('a recap', () => {
  const whole = {
    ...{ facts, record, watches: [watch], micropulls: 12_500_000 },
    alerts: [anAlert(), anAlert({ base: 7_100, observedAt: at('2026-03-05T19:00:00Z') })],
    timeZone: 'America/New_York',
  };

  it('says the lowest price first, then what each rule told and what it cost', () => {
    expect(recapOf(whole)).toEqual({
      title: 'Lowest $70: Knicks at Heat · over, recap',
      paragraphs: [
        'Knicks at Heat, Sat, Mar 7, 2026, 7:30 PM, is over.',
        'Listed get-in: $164 (Feb 20, 2:00 PM EST) at first, $70 (Mar 5, 2:41 PM EST) at its lowest, $131 (Mar 7, 6:00 PM EST) at last.',
        '“Finals” · Get-in of Lower Bowl at or below $80: 2 alerts, the first at $74 on Mar 1, 7:01 AM EST, the lowest $71.',
        'Your watches on it cost 12.5 pulls ($0.19).',
        'Its watches have ended and cost nothing more. To get no recaps, set `recaps` to false with PATCH /v1/owner.',
      ],
    });
  });

  it.each([
    [7_600, 'You paid $76 a ticket: $6 more than the lowest listed price.'],
    [6_500, 'You paid $65 a ticket: $5 less than the lowest listed price.'],
    [7_000, 'You paid $70 a ticket: the lowest listed price.'],
  ])('compares %i cents paid with the lowest price', (paidCents, line) => {
    const watches = [{ ...watch, bought: { ...bought, paidCents } }];
    expect(recapOf({ ...whole, watches }).paragraphs).toContain(line);
  });

  it('says one price once, and how many alerts were counted if there are more', () => {
    const { firstCents, firstAt } = record;
    const once = {
      ...{ firstCents, firstAt, lowCents: firstCents, lowAt: firstAt },
      ...{ lastCents: firstCents, lastAt: firstAt },
    };
    const { paragraphs } = recapOf({ ...whole, record: once, alerts: [], alertsRead: 1_000 });
    expect(paragraphs.slice(1, 4)).toEqual([
      'Listed get-in: $164, seen once (Feb 20, 2:00 PM EST).',
      '“Finals” · Get-in of Lower Bowl at or below $80: no alert.',
      'Only your newest 1,000 alerts were counted.',
    ]);
  });

  it('names twelve rules and twelve purchases, and says how many more there are', () => {
    const watches = Array.from({ length: 13 }, () => ({ ...watch, bought }));
    const { paragraphs } = recapOf({ ...whole, watches });
    const more = paragraphs.filter((line) => line.startsWith('And '));
    expect(more).toEqual(['And 1 more rule.', 'And 1 more, by other watches.']);
    expect(paragraphs).toHaveLength(30);
  });

  it('says so when a rule told nothing, and when no price was seen', () => {
    const recap = recapOf({ ...whole, record: undefined, alerts: [] });
    expect(recap.title).toBe('Over: Knicks at Heat');
    expect(recap.paragraphs[1]).toBe('“Finals” · Get-in of Lower Bowl at or below $80: no alert.');
  });
});

describe('the recap', () => {
  let tables: TestTables;
  let sent: string[] = [];

  beforeEach(async () => {
    tables = await startTestTables();
    sent = [];
    await tables.stores.access.createOwner({
      ownerId,
      name: 'Ann',
      createdAt: '2026-01-01T00:00:00.000Z',
    });
    await tables.stores.eventFacts.keep(facts);
  });
  afterEach(() => tables.stop());

  const after = at('2026-03-08T07:00:00Z');
  const tellRecap = () =>
    createTellRecap({
      ...tables.stores,
      notify: createNotify({
        createNotice: tables.stores.notices.create,
        sendNotice: async (noticeId) => void sent.push(noticeId),
      }),
    });
  const passOf = () => {
    const { stores } = tables;
    return createApplyWatchChanges({
      ...stores,
      applyWatchChange: createApplyWatchChange(stores),
      recapBought: createRecapBought({ ...stores, tellRecap: tellRecap() }),
    });
  };
  const notice = async (): Promise<Notice | undefined> => tables.stores.notices.find(sent[0] ?? '');

  it('says so if the owner has more alerts than it reads', async () => {
    await tables.stores.watches.create(watch);
    const { alerts } = tables.stores;
    const list = async () => ({ rows: [], next: 'more' });
    await createTellRecap({
      ...{ ...tables.stores, alerts: { ...alerts, list } },
      notify: createNotify({
        createNotice: tables.stores.notices.create,
        sendNotice: async (noticeId) => void sent.push(noticeId),
      }),
    }).toOwner(ownerId, facts, after);
    expect(JSON.stringify(await notice())).toContain('Only your newest 1,000 alerts were counted.');
  });

  it('goes once to each owner who watches the event', async () => {
    await tables.stores.watches.create(watch);
    const { watchId } = watch;
    const feed = { eventId: 4711, kind: 'stats', latencySeconds: 3_600 } as const;
    await tables.stores.subscriptions.add({ ...feed, watchId, ownerId }, after - 1);
    await tellRecap()(facts, after);
    await tellRecap()(facts, after + 1);
    expect(sent).toEqual([`recap/${ownerId}/4711/2026-03-07`]);
    expect(await notice()).toMatchObject({ kind: 'recap', ownerId, title: 'Over: Knicks at Heat' });
  });

  it('is not sent to an owner who wants none', async () => {
    await tables.stores.watches.create(watch);
    await tables.stores.access.changeOwner(ownerId, { recaps: false });
    await tellRecap().toOwner(ownerId, facts, after);
    expect(sent).toEqual([]);
  });

  it('comes for a bought watch when the event is over, and not before', async () => {
    const { stores } = tables;
    await stores.watches.create(watch);
    const unsettled = { feeds: [], triggerIds: [] };
    await stores.watches.change(watch, { status: 'ended', bought, unsettled }, bought.at);
    const pass = passOf();
    await pass(bought.at + 3_600_000);
    await pass(bought.at + 3 * 3_600_000);
    expect(sent).toEqual([]);
    for (let day = 3; day <= 9; day += 1) await pass(at(`2026-03-0${day}T12:00:00Z`));
    expect(sent).toHaveLength(1);
    expect((await notice())?.text).toContain('You paid $76 a ticket');
    expect(await stores.watches.unsettled(0, after + 1e9, 10)).toEqual([]);
  });
});
