// Reconcile restores what was damaged: a watch's triggers from its rules, and an item's place in the indexes
// from the item itself.
import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHealIndexes } from '#functions/reconcile/heal-indexes.ts';
import { createHealTriggers } from '#functions/reconcile/heal-triggers.ts';
import { createPutBack } from '#functions/reconcile/put-back.ts';
import { createSweepSubscriptions } from '#functions/reconcile/sweep-subscriptions.ts';
import { shardOfTurn } from '#functions/reconcile/turns.ts';
import type { RawItem } from '#shared/dynamo/attribute-readings.ts';
import { shardOf } from '#shared/dynamo/shard.ts';
import { type FaultReport, listenForFaults } from '#shared/fault-report.ts';
import { createApplyWatchChange } from '#shared/watchlist/apply-watch-change.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import {
  aSnapshot,
  createPipeline,
  eventId,
  ownerId,
  type Pipeline,
} from '#test/support/pipeline.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

const level = { type: 'level', metric: 'get_in', at_or_below: 80 };
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

let tables: TestTables;
let pipeline: Pipeline;
let faults: FaultReport[];
let event = eventId;

beforeEach(async () => {
  faults = [];
  return listenForFaults((fault) => faults.push(fault));
});

const triggerIdOf = ({ rules }: Watch) => rules[0]?.triggerIds[0] ?? '';
const levels = () => pipeline.sent.map(({ alert }) => alert.value);

async function setIn(key: { pk: string; sk: string }, values: Record<string, unknown>) {
  for (const [path, value] of Object.entries(values)) {
    const names = path.split('.');
    const at = names.map((_, index) => `#n${index}`).join('.');
    await tables.client.send(
      new UpdateCommand({
        ...{ TableName: tables.names.WATCHLIST_TABLE, Key: key },
        UpdateExpression: value === undefined ? `REMOVE ${at}` : `SET ${at} = :v`,
        ExpressionAttributeNames: Object.fromEntries(names.map((name, i) => [`#n${i}`, name])),
        ...(value !== undefined && { ExpressionAttributeValues: { ':v': value } }),
      }),
    );
  }
}

const triggerKey = (watch: Watch) => ({ pk: `TRIGGER#${triggerIdOf(watch)}`, sk: 'TRIGGER' });

/** Each of the event's turns, of which a third checks triggers. @returns how many watches were healed */
async function sweepForHours(hours: number): Promise<number> {
  const { stores } = tables;
  const putBack = createPutBack(stores);
  const healTriggers = createHealTriggers({
    ...stores,
    putBack,
    applyWatchChange: createApplyWatchChange(stores),
  });
  const sweep = createSweepSubscriptions({ ...stores, healTriggers });
  const feed = await stores.feeds.find(event, 'stats');
  let healed = 0;
  for (let at = 0; at < hours * hourMs; at += 5 * minuteMs) {
    pipeline.clock.now += 5 * minuteMs;
    if (shardOfTurn(pipeline.clock.now) !== shardOf(String(event))) continue;
    if (feed) healed += (await sweep([feed], pipeline.clock.now)).healedWatches;
  }
  return healed;
}

describe('the triggers of a watch', () => {
  beforeAll(async () => {
    tables = await startTestTables();
  });
  afterAll(() => tables.stop());
  beforeEach(async () => {
    event += 1;
    pipeline = await createPipeline(tables.stores, { event });
  });

  /** The watch has spoken once, so that its next alert must not have the id of that one. */
  async function watchThatSpoke(): Promise<Watch> {
    await pipeline.minute(100);
    const watch = await pipeline.addWatch([level]);
    await pipeline.minute(100);
    await pipeline.minute(75);
    await pipeline.minute(100);
    expect(levels()).toEqual([7_500]);
    return watch;
  }

  it('are put back into matching when a deletion that died has parked them', async () => {
    const watch = await watchThatSpoke();
    await tables.stores.triggers.park(triggerIdOf(watch));
    await pipeline.minute(70);
    expect(levels()).toEqual([7_500]);
    expect(await sweepForHours(4)).toBe(1);
    await pipeline.minute(100);
    await pipeline.minute(60);
    expect(levels()).toEqual([7_500, 6_000]);
  });

  it('are evaluated again when the count of the shards of their event was lost', async () => {
    await tables.stores.triggers.place(event, 1_000);
    const watch = await watchThatSpoke();
    expect(watch.shard).toBe(1);
    const Key = { pk: `EVENT#${event}`, sk: 'SHARDS' };
    const TableName = tables.names.WATCHLIST_TABLE;
    await tables.client.send(new DeleteCommand({ TableName, Key }));
    await pipeline.minute(70);
    await pipeline.minute(100);
    expect(levels()).toEqual([7_500]);
    await sweepForHours(4);
    expect(faults).toMatchObject([{ thing: 'stored_item', ids: { eventId: event } }]);
    await pipeline.minute(60);
    expect(levels()).toEqual([7_500, 7_000, 6_000]);
  });

  it('are left alone while they are what its rules say', async () => {
    await watchThatSpoke();
    expect(await sweepForHours(4)).toBe(0);
    expect(faults).toEqual([]);
  });

  it.each([
    ['another watch', { 'trigger.watchId': 'wat_00000000000000000000000000000bad' }],
    ['another rule', { 'trigger.ruleId': 'rul_00000000000000000000000000000bad' }],
    ['another owner', { 'trigger.ownerId': 'own_00000000000000000000000000000bad' }],
    ['another event', { 'trigger.eventId': 9 }],
    ['another series', { 'trigger.series': 'stats/avg_price' }],
    ['another direction', { 'trigger.direction': 'up' }],
    ['a level that is out of reach', { 'trigger.level': 1, triggerLevel: 1 }],
    ['a cool-down of years', { 'trigger.gates.coolDownMs': 1e15 }],
    ['no creation yet', { 'trigger.createdAt': 1e15 }],
    ['no state', { 'trigger.state': 'odd' }],
    ['another generation beside it', { generation: 1e15 }],
    ['no inner part', { trigger: undefined }],
    ['no partition in the index', { triggerPartition: undefined }],
    ['no level in the index', { triggerLevel: undefined }],
    ['the place of another event in the index', { triggerPartition: 'EVENT#9#unsettled' }],
    ['no stamp', { stamp: undefined }],
  ])('speak again after they were damaged: %s', async (_name, values) => {
    const watch = await watchThatSpoke();
    await setIn(triggerKey(watch), values);
    expect(await sweepForHours(4)).toBe(1);
    expect(faults.length).toBeGreaterThan(0);
    await pipeline.minute(100);
    await pipeline.minute(70);
    expect(levels()).toEqual([7_500, 7_000]);
    expect(await sweepForHours(4)).toBe(0);
  });

  it('share the limits of their rule, also if they were stored before they did', async () => {
    await pipeline.minute(100);
    const rule = { ...level, on_no_data: 'alert', at_most_per_day: 1 };
    const watch = await pipeline.addWatch([rule]);
    await pipeline.minute(75);
    for (const triggerId of watch.rules[0]?.triggerIds ?? []) {
      const key = { pk: `TRIGGER#${triggerId}`, sk: 'TRIGGER' };
      await setIn(key, { 'trigger.siblingId': undefined });
    }
    expect(await sweepForHours(4)).toBe(1);
    await pipeline.minute(null);
    expect(levels()).toEqual([7_500]);
    expect(await sweepForHours(4)).toBe(0);
  });

  it('speak again after they failed behind their first alert, with an alert id of their own', async () => {
    await pipeline.minute(100);
    const watch = await pipeline.addWatch([level]);
    await pipeline.minute(100);
    await setIn(triggerKey(watch), { 'trigger.repeat': 'PST' });
    await pipeline.minute(75);
    expect(levels()).toEqual([7_500]);
    expect(await sweepForHours(4)).toBe(1);
    await pipeline.minute(100);
    await pipeline.minute(70);
    expect(levels()).toEqual([7_500, 7_000]);
  });

  it('are made again when they are gone, with an alert id of their own', async () => {
    const watch = await watchThatSpoke();
    await tables.stores.triggers.remove(triggerIdOf(watch));
    expect(await sweepForHours(4)).toBe(1);
    await pipeline.minute(100);
    await pipeline.minute(70);
    expect(levels()).toEqual([7_500, 7_000]);
    expect(new Set(pipeline.raised.map(({ alertId }) => alertId)).size).toBe(2);
  });

  it('are not made again once their rule has expired', async () => {
    const expires_at = new Date(pipeline.clock.now + hourMs).toISOString();
    const watch = await pipeline.addWatch([{ ...level, expires_at }]);
    await tables.stores.triggers.remove(triggerIdOf(watch));
    pipeline.clock.now += hourMs;
    expect(await sweepForHours(4)).toBe(0);
  });

  it('of a further step are restored to their own watch', async () => {
    await pipeline.minute(100);
    const rule = { ...level, repeat_every_further_percent: 10 };
    const watch = await pipeline.addWatch([rule]);
    await pipeline.minute(75);
    const key = { pk: `TRIGGER#${triggerIdOf(watch)}f`, sk: 'TRIGGER' };
    await setIn(key, { 'trigger.watchId': 'wat_00000000000000000000000000000bad' });
    expect(await sweepForHours(4)).toBe(1);
    await pipeline.minute(60);
    expect(levels()).toEqual([7_500, 6_000]);
  });
});

describe('an item that has left its index', () => {
  beforeEach(async () => {
    event = eventId;
    tables = await startTestTables();
    pipeline = await createPipeline(tables.stores);
    return () => tables.stop();
  });

  const walk = () => createHealIndexes({ ...tables.stores, putBack: createPutBack(tables.stores) });

  async function walkAll() {
    const done = await walk()(pipeline.clock.now);
    expect(done.pages).toBe(1);
    return done.putBack;
  }

  it('is let be while it is in its place', async () => {
    await pipeline.minute(100);
    await pipeline.addWatch([level]);
    await pipeline.minute(75);
    await tables.stores.access.createOwner({ ownerId, name: 'Ann', createdAt: '2026-03-01' });
    expect(await walkAll()).toBe(0);
    expect(faults).toEqual([]);
  });

  it.each(['dueShard', 'nextPollAt'])(
    'is a feed without its %s, and polled again',
    async (name) => {
      await pipeline.minute(100);
      await pipeline.addWatch([level]);
      await pipeline.minute(100);
      await setIn({ pk: `EVENT#${eventId}`, sk: 'FEED#stats' }, { [name]: undefined });
      await pipeline.minute(75);
      expect(levels()).toEqual([]);
      expect(await walkAll()).toBe(1);
      await pipeline.minute(75);
      expect(levels()).toEqual([7_500]);
    },
  );

  it.each(['unfinishedShard', 'nextAttemptAt'])('is a delivery without its %s', async (name) => {
    const { stores } = tables;
    await pipeline.addWatch([level]);
    pipeline.market.push(aSnapshot(pipeline.clock.now + 1_000, 75));
    pipeline.clock.now += minuteMs;
    await pipeline.dispatch();
    await pipeline.loseQueue('email');
    const [delivery] = (await stores.deliveries.list(ownerId, { limit: 1 })).rows;
    const key = { pk: `DELIVERY#${delivery?.deliveryId}`, sk: 'DELIVERY' };
    await setIn(key, { [name]: undefined });
    pipeline.clock.now += hourMs;
    await pipeline.reconcile();
    await pipeline.drain();
    expect(levels()).toEqual([]);
    expect(await walkAll()).toBe(1);
    await pipeline.reconcile();
    await pipeline.drain();
    expect(levels()).toEqual([7_500]);
  });

  it.each(['ownerKey', 'ownerSort'])('is shown in its owner’s list again: %s', async (name) => {
    const { stores } = tables;
    const watch = await pipeline.addWatch([level]);
    await stores.access.createOwner({ ownerId, name: 'Ann', createdAt: '2026-03-01' });
    await pipeline.minute(75);
    const alertId = pipeline.raised[0]?.alertId;
    const keys = [
      { pk: `WATCH#${watch.watchId}`, sk: 'WATCH' },
      { pk: `ALERT#${alertId}`, sk: 'ALERT' },
      { pk: `OWNER#${ownerId}`, sk: 'OWNER' },
      { pk: `CHANNEL#${watch.channelIds[0]}`, sk: 'CHANNEL' },
    ];
    for (const key of keys) await setIn(key, { [name]: undefined });
    expect((await stores.watches.list(ownerId, { limit: 9 })).rows).toEqual([]);
    expect(await walkAll()).toBe(4);
    const page = { limit: 9 };
    expect((await stores.watches.list(ownerId, page)).rows).toHaveLength(1);
    expect((await stores.alerts.list(ownerId, page)).rows).toHaveLength(1);
    expect((await stores.channels.list(ownerId, page)).rows).toHaveLength(1);
    expect((await stores.access.list(page)).rows).toHaveLength(1);
  });

  it('is a trigger, whose series is computed again too', async () => {
    await pipeline.minute(100);
    const watch = await pipeline.addWatch([level]);
    await pipeline.minute(100);
    await setIn(triggerKey(watch), { triggerPartition: undefined });
    const key = { pk: `EVENT#${eventId}`, sk: 'SERIES#stats/get_in' };
    const TableName = tables.names.WATCHLIST_TABLE;
    await tables.client.send(new DeleteCommand({ TableName, Key: key }));
    expect(await walkAll()).toBe(1);
    await pipeline.minute(75);
    expect(levels()).toEqual([7_500]);
  });

  it('is left as it is when it was changed after it was read', async () => {
    const watch = await pipeline.addWatch([level]);
    const { stores } = tables;
    await setIn(triggerKey(watch), { triggerLevel: undefined });
    const seen = (await stores.triggers.inspect(triggerIdOf(watch))) as RawItem;
    await setIn(triggerKey(watch), { stamp: 'another' });
    expect(await createPutBack(stores)(seen, pipeline.clock.now)).toBe(false);
  });

  it('is not looked for again on the same day, and a long table takes several runs', async () => {
    const TableName = tables.names.WATCHLIST_TABLE;
    for (let index = 0; index < 9; index += 1) {
      const Item = { pk: `ODD#${index}`, sk: 'ODD', text: 'x'.repeat(390_000) };
      await tables.client.send(new PutCommand({ TableName, Item }));
    }
    const pages = async () => (await walk()(pipeline.clock.now)).pages;
    const first = [await pages(), await pages(), await pages()];
    expect(first).toEqual([2, 2, 0]);
    pipeline.clock.now += 23 * hourMs;
    expect(await pages()).toBe(0);
    pipeline.clock.now += hourMs;
    expect(await pages()).toBe(2);
  });
});
