// Which second copies of a message the judge of the fault runs accepts.
import { describe, expect, it } from 'vitest';
import type { Receipt } from '../receipts.ts';
import { aRun, hook, kindsIn } from './a-run.ts';
import { judge } from './judge.ts';

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
      leftBehind: 0,
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
