// A correct fault run; each of the judge's tests changes one thing in it.
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import type { Receipt } from '../receipts.ts';
import type { RuleDocument } from '../scenario/rules.ts';
import { type Facts, judge } from './judge.ts';
import { alertsDue, type DueAlert, toMarketSnapshot } from './truth.ts';

export const eventId = 7_001;
export const startMs = Date.parse('2026-03-01T12:00:00Z');
export const minuteMs = 60_000;

/** A snapshot whose get-in is a number of dollars. */
export function snapshotAt(minute: number, getIn: number): MarketSnapshot {
  const prices = { get_in: getIn, get_in_qty2plus: 0, avg_price: getIn, median_price: getIn };
  return toMarketSnapshot(eventId, {
    timestamp: new Date(startMs + minute * minuteMs).toISOString(),
    total_listings_active: 5,
    listing_fill_rate: 0.25,
    ...prices,
    zones: [{ zone_name: 'Floor', ...prices }],
  });
}

export const snapshots = [
  snapshotAt(0, 100),
  snapshotAt(1, 79),
  snapshotAt(2, 90),
  snapshotAt(3, 75),
];
export const firedAt = [1, 3].map((minute) => startMs + minute * minuteMs);

export const mail: Receipt = {
  place: 'ann@example.com',
  deliveryId: 'dlv_mail1',
  alertIds: undefined,
  at: 1_000,
  heardAt: startMs + minuteMs,
  isAnswered: true,
};
export const hook: Receipt = {
  ...mail,
  place: '/hook/1',
  deliveryId: 'dlv_hook1',
  alertIds: ['alt_1'],
};

/** What the run's watch must tell, with this rule. */
export function dueOf(rule: RuleDocument): DueAlert[] {
  const watch = {
    watchId: 'wat_1',
    eventId,
    rules: [{ ruleId: 'rul_1', rule }],
    places: ['ann@example.com', '/hook/1'],
    owner: 'main' as const,
    patient: ['ann@example.com'],
  };
  const seen = { market: new Map([[eventId, snapshots]]), listings: new Map() };
  return alertsDue([watch], seen);
}

/** A correct run of one watch that fires twice, with one mail address and one webhook. */
export function aRun(change: Partial<Facts> = {}): Facts {
  return {
    due: dueOf({ type: 'level', metric: 'get_in', at_or_below: 80 }),
    raised: firedAt.map((observedAt, index) => ({
      ...{ id: `alt_${index + 1}`, ruleId: 'rul_1', observedAt, isRecovery: false },
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
    edits: [],
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

export const kindsIn = (facts: Facts) => judge(facts).violations.map(({ kind }) => kind);
