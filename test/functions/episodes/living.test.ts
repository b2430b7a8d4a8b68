// Messages in a chat that are kept up to date: what changes them, how often, and what ends them.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createEditsOfWatch } from '#shared/delivery/episodes/edits-of-watch.ts';
import { type FaultReport, listenForFaults } from '#shared/fault-report.ts';
import { snapshotFromStats } from '#shared/rules/snapshot.ts';
import { forever } from '#shared/watchlist/channel.ts';
import type { Bought, Watch } from '#shared/watchlist/watch.ts';
import {
  aSnapshot,
  channelId,
  createPipeline,
  ownerId,
  type Pipeline,
} from '#test/support/pipeline.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

const below80 = { type: 'level', metric: 'get_in', at_or_below: 80 };
const secondMs = 1_000;
const minuteMs = 60_000;

let tables: TestTables;
let pipeline: Pipeline;
let event = 1_000;

beforeAll(async () => {
  tables = await startTestTables();
});
afterAll(() => tables.stop());
beforeEach(async () => {
  event += 1;
  await tables.stores.channels.remove(channelId);
  pipeline = await createPipeline(tables.stores, { event, isChat: true });
});

const living = async () =>
  (
    await tables.stores.livingMessages.list(
      { eventId: event, kind: 'stats' },
      { limit: 100, now: pipeline.clock.now },
    )
  ).messages;
const lines = () => pipeline.chat.messages.map(({ line }) => line);
/** One price a minute, and the edits that they ask for. */
async function show(...prices: (number | null)[]): Promise<void> {
  for (const price of prices) await pipeline.see(price);
}

describe('a message in a chat', () => {
  beforeEach(async () => {
    await pipeline.addWatch([below80]);
    await show(100, 74);
  });

  it('is kept as the living one of its episode', async () => {
    expect(await living()).toMatchObject([
      { channelId, generation: 1, receipt: '1', shows: { kind: 'reached', value: 7_400 } },
    ]);
    expect(lines()).toEqual([undefined]);
  });

  it('tells a new low, and once more the way back, and is left alone after that', async () => {
    await show(70);
    await pipeline.settleEdits();
    expect(lines()).toEqual(['New low: $70 · Mar 1, 12:03 PM UTC']);
    await show(100);
    await pipeline.settleEdits();
    expect(lines()).toEqual([expect.stringMatching(/^Went back to \$100 · Mar 1, /)]);
    expect(await living()).toEqual([]);
  });

  it('is not edited for what is not new', async () => {
    await show(74, 75, 76, 74);
    await pipeline.settleEdits();
    expect(pipeline.chat.messages[0]?.editedAt).toEqual([]);
  });

  it('is followed by a new message when the rule fires again, and keeps its last words', async () => {
    await show(100, 60);
    await pipeline.settleEdits();
    expect(lines()).toEqual([expect.stringMatching(/^Went back to \$100/), undefined]);
    expect(await living()).toMatchObject([{ generation: 2, receipt: '2' }]);
    await show(55);
    await pipeline.settleEdits();
    expect(lines()).toEqual([
      expect.stringMatching(/^Went back to \$100/),
      expect.stringMatching(/^New low: \$55/),
    ]);
  });

  it('ends when the event begins, by the next snapshot', async () => {
    await begins();
    await show(70);
    await pipeline.settleEdits();
    expect(lines()).toEqual(['Over: the event has begun']);
    expect(await living()).toEqual([]);
    await show(50);
    expect(pipeline.chat.messages).toHaveLength(1);
  });

  it('takes no mark of its feed with it while another message lives', async () => {
    const mark = async () =>
      (await tables.stores.evaluations.find({ eventId: event, kind: 'stats' }))?.livingMarks;
    expect(await mark()).toBe(1);
    await show(100);
    await pipeline.settleEdits();
    await show(101);
    await pipeline.settleEdits();
    expect(await mark()).toBeUndefined();
    const { edits } = pipeline;
    await show(102, 103);
    expect(edits).toEqual([]);
  });
});

describe('a purchase', () => {
  let watch: Watch;
  beforeEach(async () => {
    watch = await pipeline.addWatch([below80]);
    await show(100, 74, 70);
  });

  /** What a press of “Bought it”, or its undo, does to the watch and its messages. */
  async function change(bought: Bought | undefined): Promise<void> {
    const { watches, evaluations } = tables.stores;
    const now = await watches.find(watch.watchId);
    if (!now) throw new Error('the watch is missing');
    await watches.change(now, { bought }, pipeline.clock.now);
    pipeline.clock.now += minuteMs;
    const askForEdits = createEditsOfWatch({
      findEvaluation: evaluations.find,
      sendEdits: pipeline.sendEdits,
    });
    await askForEdits(watch, pipeline.clock.now);
    await pipeline.settleEdits();
  }
  const buy = () =>
    change({ at: pipeline.clock.now, alertId: 'alt_1', statusBefore: 'active', paidCents: 7_000 });

  it('is told, whatever the price does after it, and its undo brings the price back', async () => {
    await buy();
    expect(lines()).toEqual([expect.stringMatching(/^You bought a ticket · Mar 1, /)]);
    await show(100);
    await pipeline.settleEdits();
    expect(lines()).toEqual([expect.stringMatching(/^You bought a ticket/)]);
    expect(await living()).toHaveLength(1);
    await change(undefined);
    expect(lines()).toEqual([expect.stringMatching(/^Went back to \$100/)]);
    expect(await living()).toEqual([]);
  });

  it('is what the message tells for good when its event is over', async () => {
    await buy();
    await begins();
    await show(60);
    await pipeline.settleEdits();
    expect(lines()).toEqual([expect.stringMatching(/^You bought a ticket/)]);
    expect(await living()).toEqual([]);
  });

  it('asks for nothing where no message is kept up to date', async () => {
    await show(100);
    await pipeline.settleEdits();
    await show(101);
    await pipeline.settleEdits();
    const { length: edits } = pipeline.chat.messages[0]?.editedAt ?? [];
    await buy();
    expect(pipeline.chat.messages[0]?.editedAt).toHaveLength(edits);
  });
});

async function begins(): Promise<void> {
  const { now } = pipeline.clock;
  await tables.stores.eventFacts.keep({
    ...{ eventId: event, name: 'Phish', startsAt: now + 1, updatedAt: now },
  });
}

describe('edits', () => {
  beforeEach(async () => {
    await pipeline.addWatch([below80]);
    await show(100, 74);
  });

  const see = (price: number) => pipeline.see(price, 10 * secondMs);

  it('are at least a minute apart, and the last one shows the last low', async () => {
    for (const price of [72, 70, 68, 66, 64, 62, 60, 58, 56, 54]) await see(price);
    await pipeline.settleEdits();
    const [message] = pipeline.chat.messages;
    expect(message?.line).toMatch(/^New low: \$54/);
    const times = message?.editedAt ?? [];
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(times.length).toBeGreaterThan(1);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(minuteMs);
  });

  it('tell a low that was over before they were made', async () => {
    for (const price of [73, 60, 73]) await see(price);
    await pipeline.settleEdits();
    expect(lines()).toEqual([expect.stringMatching(/^New low: \$60/)]);
  });

  it('that were lost with their queue are made up for after the next snapshot', async () => {
    pipeline.clock.now += 10 * secondMs;
    const { now } = pipeline.clock;
    await tables.stores.snapshots.createAll([snapshotFromStats(event, aSnapshot(now, 60))], now);
    await pipeline.evaluate();
    expect(pipeline.edits.splice(0)).toHaveLength(1);
    await see(73);
    await pipeline.settleEdits();
    expect(lines()).toEqual([expect.stringMatching(/^New low: \$60/)]);
  });

  it('that two runs make at once are made once', async () => {
    pipeline.edits.length = 0;
    await show(70);
    expect(pipeline.chat.messages[0]?.editedAt).toHaveLength(1);
    pipeline.edits.push({
      edits: { eventId: event, kind: 'stats', from: 0 },
      at: pipeline.clock.now,
    });
    await pipeline.settleEdits();
    expect(pipeline.chat.messages[0]?.editedAt).toHaveLength(1);
  });
});

describe('a message is left alone', () => {
  beforeEach(async () => {
    await pipeline.addWatch([below80]);
    await show(100, 74);
  });
  const channels = () => tables.stores.channels;

  it.each<[string, () => Promise<unknown>]>([
    [
      'when its channel is switched off',
      () => channels().changeStatus(channelId, ['active'], { status: 'disabled' }),
    ],
    [
      'when its reader has unsubscribed',
      () => channels().changeStatus(channelId, ['active'], { status: 'unsubscribed' }),
    ],
    ['when its channel is deleted', () => channels().remove(channelId)],
    ['when its reader has muted the watch', () => channels().silenceWatch(channelId, '*', forever)],
  ])('%s', async (_why, change) => {
    await change();
    await show(60);
    await pipeline.settleEdits();
    expect(lines()).toEqual([undefined]);
    expect(await living()).toEqual([]);
  });
});

describe('a receiver that refuses an edit', () => {
  const health = () => tables.stores.channelHealth.find(channelId);

  beforeEach(async () => {
    await tables.stores.channelHealth.recover(channelId);
    await pipeline.addWatch([below80]);
    await show(100, 74);
  });

  it('because the message was deleted gets no more edits, and no failure', async () => {
    pipeline.chat.answers.push({ kind: 'gone', reason: 'http_404' });
    await show(70);
    await pipeline.settleEdits();
    expect(await living()).toEqual([]);
    expect(await health()).toBeUndefined();
  });

  it('for a while is asked again until the message is right', async () => {
    pipeline.chat.answers.push(
      { kind: 'throttled', reason: 'http_429', afterMs: 120_000 },
      { kind: 'failed', reason: 'http_502' },
    );
    await show(70);
    const asked = pipeline.clock.now;
    await pipeline.settleEdits();
    expect(lines()).toEqual([expect.stringMatching(/^New low: \$70/)]);
    const [editedAt = 0] = pipeline.chat.messages[0]?.editedAt ?? [];
    expect(editedAt - asked).toBeGreaterThanOrEqual(180_000);
    expect(await health()).toBeUndefined();
    expect(await living()).toMatchObject([{ failures: 0 }]);
  });

  it('again and again is left alone until the next change', async () => {
    for (let times = 0; times < 3; times += 1) {
      pipeline.chat.answers.push({ kind: 'failed', reason: 'timeout' });
    }
    await show(70);
    await pipeline.settleEdits();
    expect(lines()).toEqual([undefined]);
    await show(65);
    await pipeline.settleEdits();
    expect(lines()).toEqual([expect.stringMatching(/^New low: \$65/)]);
  });

  it('because of a fault of ours is asked again, and the fault is reported', async () => {
    const faults: FaultReport[] = [];
    const restore = listenForFaults((fault) => faults.push(fault));
    pipeline.chat.answers.push(new TypeError('no title'));
    await show(70);
    await pipeline.settleEdits();
    restore();
    expect(lines()).toEqual([expect.stringMatching(/^New low: \$70/)]);
    expect(faults).toMatchObject([
      { thing: 'living_message', reason: 'The edit of a message failed: TypeError: no title' },
    ]);
  });

  it('for good because of our mistake is left alone, and the mistake is reported', async () => {
    const faults: FaultReport[] = [];
    const restore = listenForFaults((fault) => faults.push(fault));
    pipeline.chat.answers.push({ kind: 'refused', reason: 'http_400' });
    await show(70);
    await pipeline.settleEdits();
    restore();
    expect(await living()).toEqual([]);
    expect(faults).toMatchObject([{ thing: 'living_message', ids: { channelId } }]);
  });

  it('is not called while its breaker is open', async () => {
    await tables.stores.channelHealth.open(channelId, pipeline.clock.now + 3 * minuteMs);
    await show(70);
    expect(lines()).toEqual([undefined]);
    await tables.stores.channelHealth.recover(channelId);
    await pipeline.settleEdits();
    expect(lines()).toEqual([expect.stringMatching(/^New low: \$70/)]);
  });
});

describe('a message is not kept up to date', () => {
  it('when it tells two alerts', async () => {
    await pipeline.addWatch([below80, { ...below80, at_or_below: 90 }]);
    await show(100, 74);
    pipeline.clock.now += 2_000;
    expect(pipeline.chat.messages[0]?.alertIds).toHaveLength(2);
    expect(await living()).toEqual([]);
  });

  it('when it tells a change since the snapshot before', async () => {
    await pipeline.addWatch([{ type: 'any_change', metric: 'get_in' }]);
    await show(100, 100, 74);
    expect(pipeline.chat.messages).toHaveLength(1);
    expect(await living()).toEqual([]);
  });
});

it('a message tells what an evaluation finds that is under way when the message is sent', async () => {
  await tables.stores.channels.remove(channelId);
  const feed = { eventId: event, kind: 'stats' } as const;
  pipeline = await createPipeline(tables.stores, {
    ...{ event, isChat: true },
    onSend: async () => {
      const { now } = pipeline.clock;
      await tables.stores.evaluations.acquire(feed, 'lease', now, now + minuteMs);
      const next = snapshotFromStats(event, aSnapshot(now + secondMs, 50));
      await tables.stores.snapshots.createAll([next], now);
    },
  });
  await pipeline.addWatch([below80]);
  await show(100, 74);
  await pipeline.settleEdits();
  expect(lines()).toEqual([expect.stringMatching(/^New low: \$50/)]);
});

it('a message that can’t be kept up to date is sent all the same, once', async () => {
  const faults: FaultReport[] = [];
  const restore = listenForFaults((fault) => faults.push(fault));
  await tables.stores.channels.remove(channelId);
  pipeline = await createPipeline(tables.stores, {
    ...{ event, isChat: true },
    afterStep: (step) => {
      if (step === 'livingMessages.keep') throw new Error('no table');
    },
  });
  await pipeline.addWatch([below80]);
  await show(100, 74, 70);
  restore();
  expect(lines()).toEqual([undefined]);
  const [{ delivery } = {}] = pipeline.sent;
  const stored = await tables.stores.deliveries.find(delivery?.deliveryId ?? '');
  expect(stored?.status).toBe('sent');
  expect(faults).toMatchObject([{ thing: 'living_message', ids: { channelId } }]);
});

it('a message is left alone when its owner is being deleted', async () => {
  const { access } = tables.stores;
  await access.createOwner({ ownerId, name: 'Ann', createdAt: '2026-03-01T00:00:00Z' });
  await pipeline.addWatch([below80]);
  await show(100, 74);
  await access.beginDeletion(ownerId, { deletionId: 'del_1', since: pipeline.clock.now });
  await show(60);
  await pipeline.settleEdits();
  expect(lines()).toEqual([undefined]);
  expect(await living()).toEqual([]);
});
