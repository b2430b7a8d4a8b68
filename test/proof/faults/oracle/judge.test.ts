// The judge of the fault runs, held to what it has to find: each kind of violation, planted alone into
// a run in which everything is right.
import { describe, expect, it } from 'vitest';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import type { Receipt } from '../receipts.ts';
import { type Facts, judge } from './judge.ts';
import { alertsDue, type DueAlert, toMarketSnapshot } from './truth.ts';

const eventId = 7_001;
const startMs = Date.parse('2026-03-01T12:00:00Z');
const minuteMs = 60_000;

/** A snapshot whose get-in is a number of dollars. */
function snapshotAt(minute: number, getIn: number): MarketSnapshot {
  const prices = { get_in: getIn, get_in_qty2plus: 0, avg_price: getIn, median_price: getIn };
  return toMarketSnapshot(eventId, {
    timestamp: new Date(startMs + minute * minuteMs).toISOString(),
    total_listings_active: 5,
    listing_fill_rate: 0.25,
    ...prices,
    zones: [{ zone_name: 'Floor', ...prices }],
  });
}

const snapshots = [snapshotAt(0, 100), snapshotAt(1, 79), snapshotAt(2, 90), snapshotAt(3, 75)];
const firedAt = [1, 3].map((minute) => startMs + minute * minuteMs);

const mail: Receipt = {
  place: 'ann@example.com',
  deliveryId: 'dlv_mail1',
  alertIds: undefined,
  at: 1_000,
  heardAt: startMs + minuteMs,
  isAnswered: true,
};
const hook: Receipt = { ...mail, place: '/hook/1', deliveryId: 'dlv_hook1', alertIds: ['alt_1'] };

/** A run of one watch that fires twice, for one address and one hook, as it should be. */
function aRun(change: Partial<Facts> = {}): Facts {
  const watch = {
    watchId: 'wat_1',
    eventId,
    rules: [{ ruleId: 'rul_1', rule: { type: 'level', metric: 'get_in', at_or_below: 80 } }],
    places: ['ann@example.com', '/hook/1'],
    owner: 'main' as const,
    patient: ['ann@example.com'],
  };
  const seen = { market: new Map([[eventId, snapshots]]), listings: new Map() };
  return {
    due: alertsDue([watch], seen),
    raised: firedAt.map((observedAt, index) => ({
      ...{ id: `alt_${index + 1}`, ruleId: 'rul_1', observedAt },
    })),
    receipts: [
      mail,
      { ...mail, deliveryId: 'dlv_mail2', at: 9_000 },
      hook,
      { ...hook, deliveryId: 'dlv_hook2', alertIds: ['alt_2'], at: 9_000 },
    ],
    alertsOfDelivery: new Map([
      ['dlv_mail1', ['alt_1']],
      ['dlv_mail2', ['alt_2']],
    ]),
    leftOut: new Set(),
    faults: [],
    market: new Map([[eventId, snapshots]]),
    refreshes: new Map([[eventId, snapshots.map(({ observedAt }) => observedAt)]]),
    stored: new Map([[eventId, [...snapshots]]]),
    charges: [
      { eventId, kind: 'stats', at: startMs + 1.5 * minuteMs, pulls: 1 },
      { eventId, kind: 'stats', at: startMs + 3.5 * minuteMs, pulls: 1 },
    ],
    noted: firedAt.map((refreshAt) => ({
      ...{ eventId, kind: 'stats', pulls: 1, isSettled: true, refreshAt },
    })),
    ...change,
  };
}

const kindsIn = (facts: Facts) => judge(facts).violations.map(({ kind }) => kind);

describe('the judge', () => {
  it('finds nothing in a run in which everything is right', () => {
    expect(judge(aRun())).toEqual({ violations: [], doubledInGap: 0 });
  });

  it('finds a lost alert, and that nobody was told of it', () => {
    const { raised, receipts } = aRun();
    const facts = aRun({
      raised: raised.slice(0, 1),
      receipts: receipts.filter(({ at }) => at === 1_000),
    });

    expect(kindsIn(facts)).toEqual(['alerts_missing', 'deliveries_missing', 'deliveries_missing']);
  });

  it('finds a doubled alert', () => {
    const { raised } = aRun();
    const again = { id: 'alt_9', ruleId: 'rul_1', observedAt: firedAt[0] ?? 0 };

    expect(kindsIn(aRun({ raised: [...raised, again] }))).toEqual(['alerts_doubled']);
  });

  it('finds an alert that no price explains', () => {
    const { raised } = aRun();
    const wrong = { id: 'alt_9', ruleId: 'rul_1', observedAt: startMs };

    expect(kindsIn(aRun({ raised: [...raised, wrong] }))).toEqual(['alerts_unexpected']);
  });

  it.each([
    ['mail', 'dlv_mail2'],
    ['post', 'dlv_hook2'],
  ])('finds a lost %s', (_what, lost) => {
    const receipts = aRun().receipts.filter(({ deliveryId }) => deliveryId !== lost);

    expect(kindsIn(aRun({ receipts }))).toEqual(['deliveries_missing']);
  });

  it('finds an alert that two messages tell of', () => {
    const other = { ...hook, deliveryId: 'dlv_other' };

    expect(kindsIn(aRun({ receipts: [...aRun().receipts, other] }))).toEqual([
      'deliveries_doubled',
    ]);
  });

  it('finds a refresh that the marketplace charged twice', () => {
    const charges = [
      ...aRun().charges,
      { eventId, kind: 'stats', at: startMs + 3.9 * minuteMs, pulls: 1 },
    ];

    expect(kindsIn(aRun({ charges }))).toEqual(['pulls_double_charged', 'pulls_unaccounted']);
  });

  it('finds a refresh that counts twice in our own ledger', () => {
    const { noted } = aRun();

    expect(kindsIn(aRun({ noted: [...noted, ...noted.slice(0, 1)] }))).toEqual([
      'pulls_double_charged',
      'pulls_double_charged',
    ]);
  });

  it('finds a lost snapshot, and one that was stored otherwise than it was', () => {
    const lost = new Map([[eventId, snapshots.slice(1)]]);
    const changed = new Map([[eventId, [snapshotAt(0, 101), ...snapshots.slice(1)]]]);

    expect(kindsIn(aRun({ stored: lost }))).toEqual(['data_lost']);
    expect(kindsIn(aRun({ stored: changed }))).toEqual(['data_lost', 'data_lost']);
  });
});

describe('an alert that waits for its owner’s hours', () => {
  const hours = { 'ann@example.com': startMs + 30 * minuteMs };
  const waiting = (change: Partial<DueAlert>) =>
    aRun().due.map((alert, index) => (index === 0 ? { ...alert, ...change } : alert));
  const withoutMail = aRun().receipts.filter(({ deliveryId }) => deliveryId !== 'dlv_mail1');
  const leftOut = new Set(['ann@example.com alt_1']);

  it('may be told at its time, and not before', () => {
    const due = waiting({ notBefore: hours, isRepeated: false });
    const heardAt = startMs + 30 * minuteMs;
    const later = aRun().receipts.map((one) => (one === mail ? { ...one, heardAt } : one));

    expect(kindsIn(aRun({ due }))).toEqual(['deliveries_early']);
    expect(kindsIn(aRun({ due, receipts: later }))).toEqual([]);
  });

  it.each([
    ['is over by then', { isOver: true, isRepeated: false }],
    ['is repeated by then', { isOver: false, isRepeated: true }],
  ])('may be left out when it %s', (_why, change) => {
    const due = waiting({ notBefore: hours, ...change });

    expect(kindsIn(aRun({ due, receipts: withoutMail, leftOut }))).toEqual([]);
    expect(kindsIn(aRun({ due, receipts: withoutMail }))).toEqual(['deliveries_missing']);
  });

  it('may not be left out while it is news', () => {
    const due = waiting({ notBefore: hours, isOver: false, isRepeated: false });

    expect(kindsIn(aRun({ due, receipts: withoutMail, leftOut }))).toEqual(['deliveries_missing']);
  });

  it('may not be left out because it is over where it does not wait', () => {
    const due = waiting({ isOver: true, isRepeated: false });

    expect(kindsIn(aRun({ due, receipts: withoutMail, leftOut }))).toEqual(['deliveries_missing']);
  });
});

describe('a chat’s message of an attempt that was never logged', () => {
  const unknown = { ...hook, deliveryId: 'unlogged', alertIds: undefined, at: 20_000 };
  const receipts = [...aRun().receipts, unknown];

  it('is a violation where its sender had no trouble', () => {
    expect(kindsIn(aRun({ receipts }))).toEqual(['deliveries_doubled']);
  });

  it('is of the gap when its sender was killed or never heard', () => {
    const faults = [
      { kind: 'kill_after', where: 'send-webhook>dynamoDb', worker: 'send-webhook', at: 20_100 },
    ];
    const unheard = [...aRun().receipts, { ...unknown, isAnswered: false }];

    expect(judge(aRun({ receipts, faults })).doubledInGap).toBe(1);
    expect(judge(aRun({ receipts: unheard })).doubledInGap).toBe(1);
  });
});

describe('an owner whose items were damaged', () => {
  const damaged = (troubled: string[]) => ({
    ...{ watchIds: new Set(['wat_1']), ruleIds: new Set(['rul_1']), eventId: 9_999 },
    troubled: new Set(troubled),
  });
  const lost = { raised: aRun().raised.slice(0, 1) };

  it('may lose alerts where its watch shows a trouble, and not in silence', () => {
    expect(kindsIn(aRun({ ...lost, damaged: damaged(['wat_1']) }))).toEqual([]);
    expect(kindsIn(aRun({ ...lost, damaged: damaged([]) }))).toEqual(['trouble_hidden']);
    expect(kindsIn(aRun({ damaged: damaged([]) }))).toEqual([]);
  });

  it('loses a message in silence no more than an alert', () => {
    const receipts = aRun().receipts.filter(({ deliveryId }) => deliveryId !== 'dlv_hook2');

    expect(kindsIn(aRun({ receipts, damaged: damaged([]) }))).toEqual(['trouble_hidden']);
  });

  it('excuses no other owner', () => {
    const other = {
      ...damaged(['wat_2']),
      watchIds: new Set(['wat_2']),
      ruleIds: new Set(['rul_2']),
    };

    expect(kindsIn(aRun({ ...lost, damaged: other }))).toContain('alerts_missing');
  });

  it('excuses the data of its own event alone', () => {
    const stored = new Map([[eventId, snapshots.slice(1)]]);

    expect(kindsIn(aRun({ stored, damaged: { ...damaged([]), eventId } }))).toEqual([]);
    expect(kindsIn(aRun({ stored, damaged: damaged([]) }))).toEqual(['data_lost']);
  });
});

describe('data that the links made odd', () => {
  it('may be kept or left out, and nothing else may differ', () => {
    const [first = snapshotAt(0, 100), ...others] = snapshots;
    const { Floor: zone } = snapshotAt(0, 1).zones;
    const withZone = (name: string) => {
      const zones = { ...first.zones, ...(zone && { [name]: zone }) };
      return new Map([[eventId, [{ ...first, zones }, ...others]]]);
    };
    const [stored, wrong] = [withZone('constructor'), withZone('Balcony')];

    expect(kindsIn(aRun({ stored }))).toEqual([]);
    expect(kindsIn(aRun({ stored: wrong }))).toEqual(['data_lost', 'data_lost']);
  });
});

describe('a second copy of a message', () => {
  const twice = (change: Partial<Receipt> = {}) => [
    ...aRun().receipts,
    { ...hook, at: 2_000, ...change },
  ];

  it('is a violation where its sender had no trouble', () => {
    expect(kindsIn(aRun({ receipts: twice() }))).toEqual(['deliveries_doubled']);
  });

  it('is of the gap when the sender never heard that one of the two arrived', () => {
    expect(judge(aRun({ receipts: twice({ isAnswered: false }) }))).toEqual({
      violations: [],
      doubledInGap: 1,
    });
  });

  it.each([
    ['kill_after', 'send-webhook>dynamoDb', 'send-webhook'],
    ['cut_before', 'send-webhook>dynamoDb', 'send-webhook'],
    ['kill_cloud', 'cloud', undefined],
  ])('is of the gap after %s at %s', (kind, where, worker) => {
    const faults = [{ kind, where, worker, at: 1_200 }];

    expect(judge(aRun({ receipts: twice(), faults })).doubledInGap).toBe(1);
  });

  it.each([
    ['another sender’s fault', 'kill_after', 'send-email>dynamoDb', 'send-email', 1_200],
    ['a fault on another link', 'cut_before', 'send-webhook>sqs', 'send-webhook', 1_200],
    ['a fault long before', 'kill_after', 'send-webhook>dynamoDb', 'send-webhook', -9_000],
    ['a fault after it', 'kill_after', 'send-webhook>dynamoDb', 'send-webhook', 2_500],
  ])('is not excused by %s', (_what, kind, where, worker, at) => {
    const faults = [{ kind, where, worker, at }];

    expect(kindsIn(aRun({ receipts: twice(), faults }))).toEqual(['deliveries_doubled']);
  });
});
