import { expect, it } from 'vitest';
import { untilDrained } from '#infra/local/replay/until-drained.ts';
import type { Tally } from '#infra/local/terminal/alert-lines.ts';

function aTally(polledAt: [number, number][]): Tally {
  return {
    alerts: 0,
    delivered: 0,
    deliveriesFailed: 0,
    pulls: 0,
    snapshotsStored: 0,
    polledAt: new Map(polledAt),
  };
}

const rest = { onWait: () => {}, signal: new AbortController().signal };

it('ends when every event was polled again and only polling is left', async () => {
  const ignored: (readonly string[] | undefined)[] = [];
  const isIdle = async (labels?: readonly string[]) => {
    ignored.push(labels);
    return true;
  };
  const tally = aTally([
    [7, 2000],
    [8, 2000],
  ]);
  const drained = await untilDrained({
    ...rest,
    stack: { isIdle },
    tally,
    eventIds: [7, 8],
    since: () => 2000,
  });
  expect(drained).toEqual({ unpolled: 0, isStuck: false });
  expect(ignored).toEqual([['dispatch', 'poll', 'reconcile']]);
});

it('waits for the last poll, then for the last message', async () => {
  const tally = aTally([[7, 1000]]);
  const answers = [false, true];
  const isIdle = async () => {
    expect(tally.polledAt.get(7)).toBe(3000);
    return answers.shift() ?? true;
  };
  const drained = untilDrained({
    ...rest,
    stack: { isIdle },
    tally,
    eventIds: [7],
    since: () => 2000,
  });
  tally.polledAt.set(7, 3000);
  expect(await drained).toEqual({ unpolled: 0, isStuck: false });
  expect(answers).toEqual([]);
});

it('ends when it is aborted', async () => {
  const controller = new AbortController();
  const stack = { isIdle: async () => true };
  const options = { ...rest, stack, tally: aTally([]), eventIds: [7], since: () => 0 };
  const waiting = untilDrained({ ...options, since: () => 1, signal: controller.signal });
  controller.abort();
  await expect(waiting).rejects.toThrow('abort');
});

it("waits for each event's own last snapshot, not for an event whose recording ended early", async () => {
  const tally = aTally([
    [7, 1500],
    [8, 4000],
  ]);
  const handedInAt = new Map([
    [7, 1000],
    [8, 5000],
  ]);
  const waits: number[] = [];
  const isIdle = async () => true;
  const drained = untilDrained({
    ...rest,
    stack: { isIdle },
    tally,
    eventIds: [7, 8],
    since: (eventId) => handedInAt.get(eventId) ?? 0,
    onWait: (unpolled) => waits.push(unpolled),
  });
  tally.polledAt.set(8, 5000);
  expect(await drained).toEqual({ unpolled: 0, isStuck: false });
  expect(waits).toEqual([]);
});
