// A receiver that takes 8 s for each message: its backlog waits behind it, and behind nothing else.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aChannel } from '#test/support/delivering.ts';
import { runTwoReceivers } from '#test/support/slow-receiver.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

/** A small deployment with as many alerts as hold all of it several times over. */
const usual = {
  ...{ slowAlerts: 40, slowMs: 8_000, quickAlerts: 20, quickEveryMs: 400 },
  sender: { maxConcurrency: 10, batchSize: 2 },
};

async function runOnce(also: Partial<Parameters<typeof runTwoReceivers>[1]> = {}) {
  const tables = await startTestTables();
  try {
    return await runTwoReceivers(tables, { ...usual, ...also });
  } finally {
    await tables.stop();
  }
}

describe('a slow receiver with a backlog', () => {
  it('costs another owner less than as much again', async () => {
    const alone = await runOnce({ slowAlerts: 0 });
    const beside = await runOnce();
    expect([alone.quickArrived, beside.quickArrived, beside.slowArrived]).toEqual([20, 20, 40]);
    expect(beside.quickP95Ms).toBeLessThan(2 * alone.quickP95Ms);
    expect(beside.slowAtOnceAtFirst).toBe(6);
    expect(beside.slowAtOnce).toBeLessThanOrEqual(2);
  });

  it('would hold up everybody without slots and groups', async () => {
    const { quickP95Ms } = await runOnce({ isFair: false });
    expect(quickP95Ms).toBeGreaterThan(8_000);
  });
});

describe('the slots of an owner', () => {
  let tables: TestTables;
  beforeAll(async () => {
    tables = await startTestTables();
  });
  afterAll(() => tables.stop());

  const at = Date.parse('2026-03-01T12:00:00Z');
  const channel = (ownerId: string, host: string) =>
    aChannel({
      ownerId,
      target: { kind: 'webhook', url: `https://${host}/hook`, secrets: [] },
    });

  it('are six, however many senders ask at once', async () => {
    const asked = Array.from({ length: 12 }, (_, index) =>
      tables.stores.senderSlots(channel('own_many', `h${index % 3}.example`), at),
    );
    const kinds = (await Promise.all(asked)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'held').length).toBeLessThanOrEqual(6);
    for (let each = 0; each < 6; each += 1) {
      await tables.stores.senderSlots(channel('own_many', 'h0.example'), at);
    }
    expect((await tables.stores.senderSlots(channel('own_many', 'h0.example'), at)).kind).toBe(
      'busy',
    );
    expect((await tables.stores.senderSlots(channel('own_other', 'h0.example'), at)).kind).toBe(
      'held',
    );
  });

  it('come back by release, or by the end of the lease', async () => {
    const take = (now: number) => tables.stores.senderSlots(channel('own_back', 'a.example'), now);
    const held = [];
    for (let each = 0; each < 6; each += 1) held.push(await take(at));
    expect((await take(at)).kind).toBe('busy');
    const [first] = held;
    if (first?.kind !== 'held') throw new Error('the first slot was not free');
    await first.release(at + 10);
    expect((await take(at + 10)).kind).toBe('held');
    expect((await take(at + 10)).kind).toBe('busy');
    // Its own release came late, when the slot was another message's already.
    await first.release(at + 20);
    expect((await take(at + 20)).kind).toBe('busy');
    expect((await take(at + 90_001)).kind).toBe('held');
  });

  it('are not needed for mail', async () => {
    const mail = aChannel({
      ownerId: 'own_mail',
      target: { kind: 'email', address: 'ann@example.com' },
    });
    for (let each = 0; each < 20; each += 1) {
      expect((await tables.stores.senderSlots(mail, at)).kind).toBe('held');
    }
  });
});
