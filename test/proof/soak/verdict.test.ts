// What makes a soak fail: growth, a load below the target, and alerts that were lost or sent twice.
import { describe, expect, it } from 'vitest';
import { AlertLedger } from './alert-ledger.ts';
import type { Row } from './rows.ts';
import { judge, type SoakResult } from './verdict.ts';

/** A minute without errors. */
function aRow(minute: number, changes: Partial<Row> = {}): Row {
  return {
    endsAtSeconds: (minute + 1) * 60,
    fired: 3_000,
    told: 3_000,
    latency: { p50: 1_500, p95: 2_500, p99: 3_000 },
    oldest: { poll: 0.2, evaluate: 0.5, email: 0.3, webhook: 0.4 },
    rss: 2_000,
    anonymous: 1_900,
    heaps: { evaluate: 60, 'send-webhook': 70, dynamodb: 80 },
    disk: 100 + minute * 50,
    cores: 1.6,
    ...changes,
  };
}

/** Thirty minutes at 50 alerts a second, each received once. */
function aResult(change: (minute: number) => Partial<Row> = () => ({})): SoakResult {
  return {
    rows: Array.from({ length: 30 }, (_, minute) => aRow(minute, change(minute))),
    warmUpRows: 5,
    planned: 90_000,
    counts: { fired: 90_000, told: 90_000, missing: 0, unknown: 0, doubled: 0 },
    troubles: [],
  };
}

describe('a soak', () => {
  it('holds when nothing grows but the disk', () => {
    expect(judge(aResult()).faults).toEqual([]);
  });

  it('fails by a function whose heap grows by two megabytes a minute', () => {
    const leaking = aResult((minute) => ({ heaps: { evaluate: 60 + 2 * minute } }));
    expect(judge(leaking).faults).toEqual([
      'heap of evaluate grew from 77.0 to 111.0 MB, more than 92.7',
    ]);
  });

  it('fails by alerts that come later and later', () => {
    const slowing = aResult((minute) => ({
      latency: { p50: 1_500 + 200 * minute, p95: 2_500, p99: 9_000 },
    }));
    expect(judge(slowing).faults).toEqual([
      'refresh to receipt, p50 grew from 3200.0 to 6600.0 ms, more than 5300.0',
    ]);
  });

  it('fails when fewer alerts come than the load calls for', () => {
    expect(judge(aResult(() => ({ told: 1_500 }))).faults).toEqual([
      'the load was not reached: 50 alerts a second were called for, 25.0 were told',
    ]);
  });

  it('holds when alerts of one minute come in the next', () => {
    const uneven = aResult((minute) => ({ told: minute % 2 === 0 ? 2_700 : 3_300 }));
    expect(judge(uneven).faults).toEqual([]);
  });

  it('fails by each alert that is lost, doubled or invented', () => {
    const ledger = new AlertLedger();
    for (const alertId of ['a', 'b', 'c']) ledger.fire(alertId);
    for (const alertId of ['b', 'c', 'c', 'd']) ledger.tell(alertId);
    const result = { ...aResult(), planned: 4, counts: ledger.counts() };
    expect(judge({ ...result, rows: result.rows.map((row) => ({ ...row })) }).faults).toEqual([
      '4 alerts were called for, 3 fired',
      '1 alerts fired and were never told',
      '1 alerts were told and never fired',
      '1 alerts were told twice',
    ]);
  });

  it('fails by whatever went wrong on the way', () => {
    expect(judge({ ...aResult(), troubles: ['evaluate failed'] }).faults).toEqual([
      'evaluate failed',
    ]);
  });
});
