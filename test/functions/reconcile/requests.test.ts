// What a run of reconcile asks of the tables for a fleet: few requests, in a bounded time.
import { beforeEach, describe, expect, it } from 'vitest';
import { reconcileStores } from '#functions/reconcile/compose-reconcile.ts';
import { readFleet } from '#functions/reconcile/read-fleet.ts';
import { createReconcile } from '#functions/reconcile/reconcile.ts';
import { lotOfTurn, oncePerTurn } from '#functions/reconcile/turns.ts';
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
  const reconcileOver = (feeds: Feed[]) =>
    createReconcile({
      ...openStores(),
      senders: {} as never,
      sendNudges: async (messages) => {
        nudged.push(...messages.map(({ body }) => (body as { eventId: number }).eventId));
      },
      clock: () => clock(),
    })(feeds, now);

  it('reads the evaluations of 250 feeds with three requests', async () => {
    expect((await reconcileOver(fleetOf(250))).events).toBe(250);
    expect(countOf('BatchGetCommand')).toBe(3);
    expect(countOf('GetCommand')).toBe(0);
    expect(nudged).toHaveLength(250);
  });

  it('stops after 20 s, and later runs begin with other events', async () => {
    let passedMs = 0;
    clock = () => {
      passedMs += 10_000;
      return now + passedMs;
    };
    expect((await reconcileOver(fleetOf(250))).events).toBe(100);
    const first = [...nudged];
    nudged = [];
    const stores = openStores();
    const later = createReconcile({
      ...stores,
      senders: {} as never,
      sendNudges: async (messages) => {
        nudged.push(...messages.map(({ body }) => (body as { eventId: number }).eventId));
      },
      clock: () => clock(),
    });
    const feeds = fleetOf(250).map((feed) => ({ ...feed, lastPolledAt: now + 8 * turnMs }));
    await later(feeds as Feed[], now + 8 * turnMs);
    expect(nudged.filter((eventId) => first.includes(eventId))).toEqual([]);
  });
});

it('reads each shard of the due index once for all steps', async () => {
  await readFleet(openStores().feeds);
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
