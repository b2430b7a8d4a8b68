// One trigger, owner, channel or stored item that can never be handled as it is costs nobody else an alert.
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FaultReport, listenForFaults } from '#shared/fault-report.ts';
import {
  channelId,
  createPipeline,
  ownerId,
  type Pipeline,
  startMs,
} from '#test/support/pipeline.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

let tables: TestTables;
let pipeline: Pipeline;
let reports: FaultReport[];
let stopListening: () => void;

beforeEach(async () => {
  tables = await startTestTables();
  reports = [];
  stopListening = listenForFaults((report) => reports.push(report));
  pipeline = await createPipeline(tables.stores);
});
afterEach(async () => {
  stopListening();
  await tables.stop();
});

const level = (dollars: number) => ({ type: 'level', metric: 'get_in', at_or_below: dollars });
const told = () => pipeline.sent.map(({ alert }) => alert.level).sort((a, b) => a - b);

/** Sets one attribute of a stored item to something else. */
async function damage(key: { pk: string; sk: string }, path: string[], value: unknown) {
  const names = Object.fromEntries(path.map((name, index) => [`#${index}`, name]));
  await tables.client.send(
    new UpdateCommand({
      TableName: tables.names.WATCHLIST_TABLE,
      Key: key,
      UpdateExpression: `SET ${Object.keys(names).join('.')} = :value`,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: { ':value': value },
    }),
  );
}

const triggerOf = (watch: Awaited<ReturnType<Pipeline['addWatch']>>) => {
  const [id = ''] = watch.rules[0]?.triggerIds ?? [];
  return { id, key: { pk: `TRIGGER#${id}`, sk: 'TRIGGER' } };
};

describe('a watch beside one that fails', () => {
  it.each([
    ['series', 'stats/get_in/drop_pct:high'],
    ['series', 7],
    ['level', 'ten'],
    ['gates', null],
    ['memory', { firings: 3 }],
    ['state', 'asleep'],
    ['condition', { any: 'of these' }],
    ['createdAt', {}],
  ])('is told although the %s of a trigger is %j', async (attribute, value) => {
    const odd = await pipeline.addWatch([level(80)]);
    await pipeline.addWatch([level(70)]);
    await pipeline.minute(100);
    await damage(triggerOf(odd).key, ['trigger', attribute], value);
    await pipeline.minute(60);
    expect(told().filter((each) => each !== 8_000)).toEqual([7_000]);
  });

  it('is told although a stored rule of another watch can not be read', async () => {
    const odd = await pipeline.addWatch([level(80)]);
    await pipeline.addWatch([level(70)]);
    await pipeline.minute(100);
    const rule = { ruleId: odd.rules[0]?.ruleId, triggerIds: [], rule: { type: 'of the future' } };
    await damage({ pk: `WATCH#${odd.watchId}`, sk: 'WATCH' }, ['rules'], [rule]);
    await pipeline.minute(60);
    expect(told()).toEqual([7_000]);
    expect((await tables.stores.watches.find(odd.watchId))?.setAside).toMatchObject({
      rules: { reason: expect.stringContaining('stored rules') },
    });
  });

  it('is told although the owner of another has a time zone that can not be used', async () => {
    await tables.stores.access.createOwner({
      ...{ ownerId, name: 'Ann', createdAt: new Date(startMs).toISOString(), timeZone: 'PST' },
      quietHours: { from: '00:00', to: '23:59' },
    });
    await pipeline.addWatch([level(80)]);
    await pipeline.addWatch([level(70)]);
    await pipeline.minute(100);
    await pipeline.minute(60);
    // Silence is worse than an alert at night: it goes at once.
    expect(told()).toEqual([7_000, 8_000]);
    expect(reports.map(({ thing, ids }) => [thing, ids])).toContainEqual([
      'owner_setting',
      { ownerId },
    ]);
  });

  it('is told although another has a channel that can not be read', async () => {
    await pipeline.addWatch([level(80)]);
    await pipeline.minute(100);
    await damage({ pk: `CHANNEL#${channelId}`, sk: 'CHANNEL' }, ['target'], 'nowhere');
    await pipeline.minute(60);
    expect(pipeline.raised).toHaveLength(1);
    expect(pipeline.sent).toEqual([]);
    expect(reports.length).toBeGreaterThan(0);
  });
});

describe('a trigger that was set aside', () => {
  const fault = async () => {
    const odd = await pipeline.addWatch([level(80)]);
    await pipeline.minute(100);
    const { id, key } = triggerOf(odd);
    await damage(key, ['trigger', 'memory', 'firings'], { no: 'list' });
    await pipeline.minute(60);
    return { odd, id, key };
  };

  it('is recorded on itself and on its watch, with its reason, and counted', async () => {
    const { odd, id } = await fault();
    const record = { reason: expect.stringContaining('TypeError'), times: 1, release: 'test' };
    expect(await tables.stores.triggers.faultOf(id)).toMatchObject(record);
    const watch = await tables.stores.watches.find(odd.watchId);
    expect(watch?.setAside).toMatchObject({ [id]: record });
    expect(reports).toMatchObject([{ thing: 'trigger', ids: { triggerId: id } }]);
  });

  it('lets the cursor go on, and is not tried at each snapshot', async () => {
    const { id } = await fault();
    await pipeline.minute(59);
    await pipeline.minute(58);
    expect((await tables.stores.triggers.faultOf(id))?.times).toBe(1);
    const evaluation = await tables.stores.evaluations.find({ eventId: 4711, kind: 'stats' });
    expect(evaluation?.evaluatedThrough).toBe(pipeline.clock.now - 1_000);
  });

  it('is tried again after a while, and has no record once it works', async () => {
    const { odd, id, key } = await fault();
    await damage(key, ['trigger', 'memory', 'firings'], []);
    pipeline.clock.now += 15 * 60_000;
    await pipeline.minute(57);
    expect(told()).toEqual([8_000]);
    expect(await tables.stores.triggers.faultOf(id)).toBeUndefined();
    expect((await tables.stores.watches.find(odd.watchId))?.setAside).toEqual({});
  });

  it('takes no place of others in a range, however many were set aside', async () => {
    const { key } = await fault();
    const { Attributes } = await tables.client.send(
      new UpdateCommand({
        TableName: tables.names.WATCHLIST_TABLE,
        Key: key,
        UpdateExpression: 'SET touched = :true',
        ExpressionAttributeValues: { ':true': true },
        ReturnValues: 'ALL_NEW',
      }),
    );
    expect(Attributes).toMatchObject({ triggerPartition: 'EVENT#4711#unsettled' });
  });
});

describe('a trigger whose item can not be read', () => {
  it('is recorded on its watch, and works again when its rule is saved again', async () => {
    const odd = await pipeline.addWatch([level(80)]);
    await pipeline.minute(100);
    const { id, key } = triggerOf(odd);
    await damage(key, ['trigger', 'level'], 'eighty');
    await pipeline.minute(60);
    expect((await tables.stores.watches.find(odd.watchId))?.setAside).toMatchObject({
      [id]: { reason: expect.stringContaining('save the rule again') },
    });
  });
});
