// Tests the judge of the fault runs: each kind of violation is planted alone into
// a correct run, and the judge must find it.
import { describe, expect, it } from 'vitest';
import {
  aRun,
  dueOf,
  eventId,
  hook,
  kindsIn,
  mail,
  minuteMs,
  snapshotAt,
  snapshots,
  startMs,
} from './a-run.ts';
import { type Facts, judge, type RaisedAlert } from './judge.ts';
import type { DueAlert } from './truth.ts';

describe('the judge', () => {
  it('finds nothing in a run in which everything is right', () => {
    expect(judge(aRun())).toEqual({ violations: [], doubledInGap: 0, leftBehind: 0 });
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
    const again = { ...raised[0], id: 'alt_9' } as RaisedAlert;

    expect(kindsIn(aRun({ raised: [...raised, again] }))).toEqual(['alerts_doubled']);
  });

  it('finds an alert that no price explains', () => {
    const { raised } = aRun();
    const wrong = { ...raised[0], id: 'alt_9', observedAt: startMs } as RaisedAlert;

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

describe('a rule that tells when its number went back', () => {
  const telling = { type: 'level', metric: 'get_in', at_or_below: 80, tell_recovery: true };
  const backDue = dueOf(telling).filter(({ isRecovery }) => isRecovery);
  const tellingRun = (change: Partial<Facts> = {}) => {
    const { due, raised, receipts, alertsOfDelivery } = aRun();
    const back = { id: 'alt_1_r', ruleId: 'rul_1', observedAt: startMs + 2 * minuteMs };
    return aRun({
      due: [...due, ...backDue],
      raised: [...raised, { ...back, isRecovery: true }],
      receipts: [
        ...receipts,
        { ...mail, deliveryId: 'dlv_mailBack', at: 5_000 },
        { ...hook, deliveryId: 'dlv_hookBack', alertIds: ['alt_1_r'], at: 5_000 },
      ],
      alertsOfDelivery: new Map([...alertsOfDelivery, ['dlv_mailBack', ['alt_1_r']]]),
      ...change,
    });
  };

  it('must tell it once for the alert, and not for the one that still holds', () => {
    expect(backDue.map(({ observedAt }) => observedAt)).toEqual([startMs + 2 * minuteMs]);
    expect(kindsIn(tellingRun())).toEqual([]);
  });

  it('is found out when it does not, or when it tells it as an alert', () => {
    const { raised } = tellingRun();
    const asAlert = raised.map((one) => ({ ...one, isRecovery: false }));
    const lost = tellingRun({ raised: raised.filter(({ isRecovery }) => !isRecovery) });

    expect(kindsIn(lost)).toContain('alerts_missing');
    expect(kindsIn(tellingRun({ raised: asAlert }))).toContain('alerts_unexpected');
  });

  it('is found out when a rule that did not ask tells it', () => {
    expect(kindsIn(tellingRun({ due: aRun().due }))).toEqual(['alerts_unexpected']);
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
