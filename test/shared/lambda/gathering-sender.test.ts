// What is sent at about the same time goes out together, and fails together.
import { describe, expect, it } from 'vitest';
import { gatherSends } from '#shared/lambda/gathering-sender.ts';
import type { OutgoingMessage } from '#shared/lambda/queue-sender.ts';

const aMessage = (body: number): OutgoingMessage => ({ body, group: 'own_a' });

/** A gathering sender whose moment ends when the test says so. */
function aSender(fails = false) {
  const calls: unknown[][] = [];
  const moments: (() => void)[] = [];
  const send = gatherSends(
    async (messages: readonly OutgoingMessage[]) => {
      calls.push(messages.map(({ body }) => body));
      if (fails) throw new Error('not accepted');
    },
    () => new Promise((resolve) => moments.push(resolve)),
  );
  const endMoment = () => moments.shift()?.();
  return { calls, endMoment, send };
}

describe('a gathering sender', () => {
  it('sends in one call what came within a moment', async () => {
    const { calls, endMoment, send } = aSender();
    const sent = [send([aMessage(1)]), send([aMessage(2), aMessage(3)])];
    expect(calls).toEqual([]);
    endMoment();
    await Promise.all(sent);
    expect(calls).toEqual([[1, 2, 3]]);
  });

  it('sends what comes later in a later call', async () => {
    const { calls, endMoment, send } = aSender();
    const first = send([aMessage(1)]);
    endMoment();
    await first;
    const second = send([aMessage(2)]);
    endMoment();
    await second;
    expect(calls).toEqual([[1], [2]]);
  });

  it('tells everybody whose messages went together of a failure', async () => {
    const { endMoment, send } = aSender(true);
    const sent = Promise.allSettled([send([aMessage(1)]), send([aMessage(2)])]);
    endMoment();
    expect((await sent).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
