// What a run of reconcile asks of the tables for a fleet: few requests, in a bounded time.
import { beforeEach, describe, expect, it } from 'vitest';
import { reconcileStores } from '#functions/reconcile/compose-reconcile.ts';
import { readFleet } from '#functions/reconcile/read-fleet.ts';
import { createReconcile } from '#functions/reconcile/reconcile.ts';
import { lotOfTurn, oncePerTurn, shardOfTurn } from '#functions/reconcile/turns.ts';
import { shardOf } from '#shared/dynamo/shard.ts';
import { openStores as openStoresOver } from '#shared/dynamo/stores.ts';
import { gatherReads } from '#shared/lambda/gathered-reads.ts';
import type { Feed } from '#shared/polling/feed.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const turnMs = 5 * 60_000;

let tables: TestTables;
let asked: string[];
let nudged: number[];
let clock: () => number;

beforeEach(async () => {
  tables = await startTestTables();
  asked = [];
  nudged = [];
  clock = () => now;
  return () => tables.stop();
});

/** Tables whose requests are noted by the name of their command. */
function openStores() {
  const send = (command: never) => {
    asked.push((command as object).constructor.name);
    return tables.client.send(command);
  };
  const client = gatherReads(Object.create(tables.client, { send: { value: send } }));
  return openStoresOver(client, tables.names, reconcileStores);
}

const countOf = (name: string) => asked.filter((each) => each === name).length;
const fleetOf = (feeds: number) =>
  Array.from({ length: feeds }, (_, index) => ({
    ...{ eventId: index + 1, kind: 'stats', status: 'active' },
    ...{ lastPolledAt: now - 60_000, lastSnapshotAt: now - 60_000 },
  })) as Feed[];

describe('a look for events whose evaluation lags', () => {
  const reconcileOver = (feeds: Feed[], at = now) =>
    createReconcile({
      ...openStores(),
      senders: {} as never,
      sendNudges: async (messages) => {
        nudged.push(...messages.map(({ body }) => (body as { eventId: number }).eventId));
      },
      clock: () => clock(),
    })(feeds, at);
  const ofTurn = (feeds: Feed[], at = now) =>
    feeds.filter(({ eventId }) => shardOf(String(eventId)) === shardOfTurn(at));

  it('nudges those that a poll has marked, and no other of 250 feeds, with a request a shard', async () => {
    const caughtUp = fleetOf(250).map((feed) => ({ ...feed, lastSnapshotAt: undefined }) as Feed);
    for (const eventId of [3, 7, 11]) {
      await tables.stores.evaluations.markBehind({ eventId, kind: 'stats' }, now - 1);
    }
    await tables.stores.evaluations.markBehind({ eventId: 12, kind: 'stats' }, now + 1);

    expect((await reconcileOver(caughtUp)).events).toBe(3);
    expect(nudged.toSorted((a, b) => a - b)).toEqual([3, 7, 11]);
    // For the unfinished deliveries and for the evaluations.
    expect(asked).toEqual(Array.from({ length: 32 }, () => 'QueryCommand'));
  });

  it('finds those that no poll has marked in their shard’s turn', async () => {
    const fleet = fleetOf(250);
    expect((await reconcileOver(fleet)).events).toBe(ofTurn(fleet).length);
    expect(nudged.toSorted((a, b) => a - b)).toEqual(ofTurn(fleet).map(({ eventId }) => eventId));
    expect([countOf('BatchGetCommand'), countOf('GetCommand')]).toEqual([1, 0]);
    for (let turn = 1; turn < 16; turn += 1) await reconcileOver(fleet, now + turn * turnMs);
    expect(new Set(nudged).size).toBe(250);
  });

  it('stops that look after 20 s', async () => {
    let passedMs = 0;
    clock = () => {
      passedMs += 10_000;
      return now + passedMs;
    };
    const fleet = fleetOf(4_000);
    expect(ofTurn(fleet).length).toBeGreaterThan(200);
    expect((await reconcileOver(fleet)).events).toBe(100);
  });
});

it('reads each shard of the due index once for all steps', async () => {
  await readFleet(openStores().feeds, now);
  // Two kinds of feeds in 16 shards.
  expect(asked).toEqual(Array.from({ length: 32 }, () => 'QueryCommand'));
});

describe('turns', () => {
  it('work through a shard with more than a run takes', () => {
    const items = [1, 2, 3, 4, 5];
    const round = 16 * turnMs;
    const lots = [0, 1, 2, 3].map((turn) => lotOfTurn(items, 2, turn * round));
    expect(lots).toEqual([[1, 2], [3, 4], [5], [1, 2]]);
    expect(lotOfTurn([], 2, 0)).toEqual([]);
  });

  it('do a step once, and again only where it failed', async () => {
    const done: number[] = [];
    let fails = true;
    const step = oncePerTurn(async (_: undefined, at: number) => {
      done.push(at);
      if (fails) throw new Error('not now');
      return 'done';
    });
    await expect(step(undefined, 0)).rejects.toThrow('not now');
    fails = false;
    expect(await step(undefined, 1)).toBe('done');
    expect(await step(undefined, turnMs - 1)).toBeUndefined();
    expect(await step(undefined, turnMs)).toBe('done');
    expect(done).toEqual([0, 1, turnMs]);
  });
});
