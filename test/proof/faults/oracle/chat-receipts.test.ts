// Which delivery a chat message is assigned to.
import { describe, expect, it } from 'vitest';
import type { Receipt } from '../receipts.ts';
import { type LoggedAttempt, nameDeliveries } from './chat-receipts.ts';

const receipt = (heardAt: number): Receipt => ({
  ...{ place: '/slack/1', deliveryId: '', alertIds: undefined, at: heardAt, heardAt },
  isAnswered: true,
});
const attempt = (deliveryId: string, startedAt: number, outcome = 'sent'): LoggedAttempt => ({
  ...{ deliveryId, place: '/slack/1', outcome, startedAt },
  endedAt: startedAt + 200,
});

function named(heard: number[], attempts: LoggedAttempt[]): [number, string][] {
  const receipts = nameDeliveries(heard.map(receipt), attempts);
  return receipts.map(({ heardAt, deliveryId }): [number, string] => [heardAt, deliveryId]).sort();
}

describe('a message in a chat', () => {
  it('belongs to the attempt that it came within', () => {
    expect(named([1_100, 5_100], [attempt('b', 5_000), attempt('a', 1_000)])).toEqual([
      [1_100, 'a'],
      [5_100, 'b'],
    ]);
  });

  it('belongs to its attempt although a busy receiver notes it late', () => {
    expect(named([1_900, 2_050], [attempt('a', 1_000), attempt('b', 1_300)])).toEqual([
      [1_900, 'a'],
      [2_050, 'b'],
    ]);
  });

  it('stays with the failed attempt that it came within, beside a later successful one', () => {
    expect(named([1_100, 2_100], [attempt('a', 1_000, 'failed'), attempt('b', 2_000)])).toEqual([
      [1_100, 'a'],
      [2_100, 'b'],
    ]);
  });

  it('belongs to the attempt whose answer names it, also where two overlap', () => {
    const numbered = (heardAt: number, messageId: string): Receipt => ({
      ...receipt(heardAt),
      sent: { messageId, title: '' },
    });
    const attempts = [
      { ...attempt('a', 1_000), messageId: '9' },
      { ...attempt('b', 990), messageId: '10' },
    ];
    const receipts = nameDeliveries([numbered(1_100, '9'), numbered(1_110, '10')], attempts);

    expect(receipts.map(({ sent, deliveryId }) => [sent?.messageId, deliveryId])).toEqual([
      ['9', 'a'],
      ['10', 'b'],
    ]);
  });

  it('is shared out where two attempts overlap', () => {
    expect(named([1_050, 1_150], [attempt('a', 1_000), attempt('b', 1_001)])).toEqual([
      [1_050, 'a'],
      [1_150, 'b'],
    ]);
  });

  it('belongs to a failed attempt only when no successful one wants it', () => {
    const attempts = [attempt('a', 1_000, 'failed'), attempt('a', 9_000), attempt('b', 1_001)];

    expect(named([1_100, 9_100], attempts)).toEqual([
      [1_100, 'b'],
      [9_100, 'a'],
    ]);
  });

  it('does not belong to a throttled attempt, because its message was refused', () => {
    expect(named([1_100], [attempt('a', 1_150, 'throttled')])).toEqual([[1_100, 'unlogged']]);
  });

  it('has no delivery when its attempt was never logged, or was of another place', () => {
    const elsewhere = { ...attempt('a', 1_000), place: '/slack/2' };

    expect(named([1_100], [elsewhere])).toEqual([[1_100, 'unlogged']]);
  });
});
