// A failed evaluation is tried again within seconds, a few times, and never for ever.
import { describe, expect, it } from 'vitest';
import { createLookAgain } from '#functions/evaluate/look-again.ts';
import { type EvaluateMessage, evaluateMessageSchema } from '#shared/alerts/evaluation.ts';
import type { OutgoingMessage } from '#shared/lambda/queue-sender.ts';

const feed: EvaluateMessage = { eventId: 7, kind: 'stats' };

function createQueue() {
  const sent: OutgoingMessage[] = [];
  return { sent, lookAgain: createLookAgain(async (messages) => void sent.push(...messages)) };
}

describe('a failed evaluation', () => {
  it('is tried again after 5, 20 and 60 seconds, and then left to the queue', async () => {
    const { sent, lookAgain } = createQueue();
    let message: EvaluateMessage = feed;
    const isDone: boolean[] = [];
    for (let failures = 0; failures < 4; failures += 1) {
      isDone.push(await lookAgain({ message, receiveCount: 1 }));
      message = evaluateMessageSchema.parse(sent.at(-1)?.body);
    }
    expect(sent.map(({ delaySeconds }) => delaySeconds)).toEqual([5, 20, 60]);
    expect(sent.every(({ group }) => group === '7')).toBe(true);
    // Only the first message can end in the DLQ.
    expect(isDone).toEqual([false, true, true, true]);
  });

  it('is not tried more often because SQS delivers its message again', async () => {
    const { sent, lookAgain } = createQueue();
    expect(await lookAgain({ message: feed, receiveCount: 2 })).toBe(false);
    expect(await lookAgain({ message: { ...feed, tries: 1 }, receiveCount: 2 })).toBe(false);
    expect(sent).toEqual([]);
  });

  it('is left to the queue if nothing can be enqueued', async () => {
    const lookAgain = createLookAgain(async () => {
      throw new Error('no queue');
    });
    expect(await lookAgain({ message: { ...feed, tries: 1 }, receiveCount: 1 })).toBe(false);
  });
});
