// What the judge of the fault runs accepts of the edits of messages in chats: each kind of violation is planted alone.
import { describe, expect, it } from 'vitest';
import type { Receipt, ReceivedEdit } from '../receipts.ts';
import type { RuleDocument } from '../scenario/rules.ts';
import { aRun, dueOf, firedAt, kindsIn, minuteMs, snapshotAt, startMs } from './a-run.ts';
import { dueEpisode } from './episodes.ts';
import { type Facts, judge } from './judge.ts';

const rule = { type: 'level', metric: 'get_in', at_or_below: 80 };
const chat: Receipt = {
  ...{ place: '/discord/1', deliveryId: 'dlv_chat1', alertIds: undefined },
  ...{ at: 1_000, heardAt: startMs + minuteMs, isAnswered: true },
  sent: { messageId: '7', title: '$79: Game' },
};
const second: Receipt = {
  ...chat,
  ...{ deliveryId: 'dlv_chat2', at: 100_000, heardAt: startMs + 3 * minuteMs },
  sent: { messageId: '8', title: '$75: Game' },
};
const back: ReceivedEdit = {
  ...{ place: '/discord/1', messageId: '7', at: 60_000, heardAt: startMs + 2 * minuteMs },
  ...{ isAnswered: true, lines: ['$79: Game', 'Went back to $90 · Mar 1, 12:02 PM UTC'] },
};

/** The run's two alerts in a chat: 100, 79, 90, 75. The first went back; nothing happened since the second. */
function aChatRun(change: Partial<Facts> = {}): Facts {
  const { receipts, alertsOfDelivery } = aRun();
  const due = dueOf(rule).map((alert) => ({ ...alert, places: [...alert.places, '/discord/1'] }));
  return aRun({
    due,
    receipts: [...receipts, chat, second],
    edits: [back],
    alertsOfDelivery: new Map([
      ...alertsOfDelivery,
      ['dlv_chat1', ['alt_1']],
      ['dlv_chat2', ['alt_2']],
    ]),
    ...change,
  });
}
const sameEpisode = (facts: Facts): Facts => ({
  ...facts,
  due: facts.due.map((alert) => ({
    ...alert,
    episode: { number: 0, since: { kind: 'nothing' as const } },
  })),
});
const line = (text: string) => ({ ...back, lines: ['$79: Game', `${text} · Mar 1, 12:02 PM UTC`] });

describe('the edits of messages in chats', () => {
  it('are right in a run in which everything is right', () => {
    expect(judge(aChatRun())).toEqual({ violations: [], doubledInGap: 0, leftBehind: 0 });
  });

  it.each<[string, ReceivedEdit[], string]>([
    ['of a message that is not there', [back, { ...back, messageId: '9' }], 'edits_wrong'],
    ['of a message in another chat', [back, { ...back, place: '/discord/2' }], 'edits_wrong'],
    ['with another title', [{ ...back, lines: ['$75: Game', back.lines[1] ?? ''] }], 'edits_wrong'],
    [
      'that are three within a minute',
      [0, 1, 2].map((nth) => ({ ...back, heardAt: back.heardAt + (nth * minuteMs) / 3 })),
      'edits_too_often',
    ],
  ])('are wrong %s', (_what, edits, kind) => {
    expect(kindsIn(aChatRun({ edits }))).toEqual([kind]);
  });

  it('may come with the next when the clock jumps ahead meanwhile', () => {
    const edits = [back, { ...back, heardAt: back.heardAt + 3 }];
    expect(kindsIn(aChatRun({ edits }))).toEqual([]);
  });

  it.each([
    ['nothing', []],
    ['a low instead of the way back', [line('New low: $79')]],
  ])('leave a message behind that tells %s', (_what, edits) => {
    const facts = aChatRun({ edits });
    expect(kindsIn(facts)).toEqual(['messages_left_behind']);
    expect(judge(facts).leftBehind).toBe(1);
  });

  it('leave a message behind that tells something though nothing happened', () => {
    const edit = { ...back, messageId: '8', lines: ['$75: Game', 'New low: $70 · Mar 1'] };
    expect(kindsIn(aChatRun({ edits: [back, edit] }))).toEqual(['messages_left_behind']);
  });

  it('may be lost when the sender of the message was killed after it', () => {
    const worker = 'send-webhook';
    const faults = [{ kind: 'kill_after', where: `${worker}>dynamoDb`, worker, at: 1_500 }];
    const facts = aChatRun({ edits: [], faults });
    expect(judge(facts)).toEqual({ violations: [], doubledInGap: 0, leftBehind: 1 });
  });

  it.each([
    [
      'another sender',
      { kind: 'kill_after', where: 'send-email>dynamoDb', worker: 'send-email', at: 1_500 },
    ],
    [
      'the queue, since the next run makes up for a lost one',
      { kind: 'kill_sqs', where: 'sqs', worker: undefined, at: 1_500 },
    ],
  ])('may not be lost by a fault of %s', (_whose, fault) => {
    expect(kindsIn(aChatRun({ edits: [], faults: [fault] }))).toEqual(['messages_left_behind']);
  });

  it('follow the second copy of a message that came twice', () => {
    const first = {
      ...chat,
      at: 900,
      isAnswered: false,
      sent: { messageId: '6', title: '$79: Game' },
    };
    const receipts = [...aChatRun().receipts, first];
    expect(judge(aChatRun({ receipts }))).toEqual({
      violations: [],
      doubledInGap: 1,
      leftBehind: 0,
    });
    const wrong = { ...back, messageId: '6' };
    expect(kindsIn(aChatRun({ receipts, edits: [wrong] }))).toEqual(['messages_left_behind']);
  });

  it('follow one message of an episode: the later one, once it is edited', () => {
    const later = {
      ...back,
      messageId: '8',
      at: 150_000,
      heardAt: startMs + 4 * minuteMs,
      lines: ['$75: Game'],
    };
    const again = { ...back, at: 200_000, heardAt: startMs + 5 * minuteMs };
    const underWay = { ...again, at: 155_000 };
    expect(kindsIn(sameEpisode(aChatRun({ edits: [back, later] })))).toEqual([]);
    expect(kindsIn(sameEpisode(aChatRun({ edits: [back, later, underWay] })))).toEqual([]);
    expect(kindsIn(sameEpisode(aChatRun({ edits: [back, later, again] })))).toEqual([
      'edits_wrong',
    ]);
  });
});

describe('what a message must tell, to the oracle,', () => {
  const since = (asked: RuleDocument, ...prices: number[]) => {
    const market = prices.map((price, minute) => snapshotAt(minute, price));
    return dueEpisode(asked, firedAt[0] ?? 0, market);
  };

  it.each<[string, number[], object]>([
    ['nothing', [100, 79, 80], { number: 0, since: { kind: 'nothing' } }],
    ['the lowest price', [100, 79, 70.5, 75], { number: 0, since: { kind: 'low', value: 70.5 } }],
    ['that the price went back', [100, 79, 70, 90, 60], { number: 0, since: { kind: 'back' } }],
    ['no price that nobody believes', [100, 79, 2, 79], { number: 0, since: { kind: 'nothing' } }],
  ])('is %s', (_what, prices, expected) => {
    expect(since(rule, ...prices)).toEqual(expected);
  });

  it('counts episodes by the times at which the rule became armed again', () => {
    const market = [100, 70, 90, 70].map((price, minute) => snapshotAt(minute, price));
    expect(
      [1, 3].map((minute) => dueEpisode(rule, startMs + minute * minuteMs, market)?.number),
    ).toEqual([...[0, 1]]);
  });

  it('is the highest value of a rule about rises, and the count of a rule about numbers', () => {
    const above = { type: 'level', metric: 'get_in', at_or_above: 79 };
    expect(since(above, 70, 79, 95)?.since).toEqual({ kind: 'low', value: 95 });
    expect(since({ type: 'supply', at_or_below: 5 }, 70, 79)?.since).toEqual({ kind: 'nothing' });
  });

  it('is not decided for other rules', () => {
    expect(since({ type: 'any_change', metric: 'get_in' }, 100, 79)).toBeUndefined();
    expect(since({ type: 'supply', matching: {}, at_or_below: 5 }, 100, 79)).toBeUndefined();
  });
});
