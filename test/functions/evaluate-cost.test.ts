// What a snapshot costs in DynamoDB: it grows with the triggers that it reaches, not with those that
// wait on the event.
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileRule } from '#shared/rules/compile.ts';
import { snapshotFromStats } from '#shared/rules/snapshot.ts';
import { createTrigger } from '#shared/rules/trigger.ts';
import { aSnapshot, channelId, createPipeline, ownerId, startMs } from '#test/support/pipeline.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

let tables: TestTables;
beforeAll(async () => {
  tables = await startTestTables();
});
afterAll(() => tables.stop());

/** Watchers of one event, armed at levels of 1, 2, 3, … dollars. */
async function armTriggers(event: number, count: number): Promise<void> {
  for (let level = 1; level <= count; level += 1) {
    const [spec] = compileRule({ type: 'level', metric: 'get_in', at_or_below: level });
    if (!spec) throw new Error('a level rule has one trigger');
    const id = `${event}_${level}`;
    const trigger = createTrigger(
      spec,
      {
        triggerId: `trg_${id}`,
        watchId: `wat_${id}`,
        ruleId: `rul_${id}`,
        ownerId,
        eventId: event,
      },
      0,
    );
    await tables.stores.triggers.create({ ...trigger, state: 'armed' });
  }
}

/** Items that queries read meanwhile, by DynamoDB's own count, of those whose answer has such an item. */
async function countRead(attribute: string, work: () => Promise<unknown>): Promise<number> {
  let scanned = 0;
  tables.client.middlewareStack.add(
    (next, context) => async (args) => {
      const result = await next(args);
      if (context.commandName === QueryCommand.name) {
        const { Items = [], ScannedCount = 0 } = result.output as {
          Items?: object[];
          ScannedCount?: number;
        };
        if (Items.some((item) => attribute in item)) scanned += ScannedCount;
      }
      return result;
    },
    { step: 'initialize', name: 'countItems', override: true },
  );
  await work();
  tables.client.middlewareStack.remove('countItems');
  return scanned;
}

/** Triggers that one snapshot's value makes the index hand out. */
function triggersRead(event: number, value: number): Promise<number> {
  const { index } = tables.stores.triggers.forEvent(event);
  const range = { series: 'stats/get_in', direction: 'down' as const, value };
  return countRead('triggerPartition', async () => {
    await index.armedReachedBy(range);
    await index.firedPassedBy(range);
    await index.unsettled();
  });
}

describe('the triggers read per snapshot', () => {
  it('are the ones that it reaches, however many wait', async () => {
    await createPipeline(tables.stores);
    await armTriggers(1, 40);
    await armTriggers(2, 400);

    expect(await triggersRead(1, 100 * 31)).toBe(10);
    expect(await triggersRead(2, 100 * 391)).toBe(10);
    expect(await triggersRead(2, 100 * 401)).toBe(0);
  });
});

describe('the snapshots read per evaluation', () => {
  /** Of the evaluation of one more snapshot, after so many in the same hour. */
  async function readAfter(count: number, event: number, rule: object): Promise<number> {
    const pipeline = await createPipeline(tables.stores, { event });
    await pipeline.addWatch([rule]);
    const see = async (second: number): Promise<void> => {
      const observedAt = startMs + second * 1_000;
      const snapshot = snapshotFromStats(event, aSnapshot(observedAt, 100 + (second % 7)));
      await tables.stores.snapshots.createAll([snapshot], observedAt);
      pipeline.clock.now = observedAt;
      await pipeline.feedIsCurrent();
      await pipeline.evaluate();
    };
    for (let second = 0; second < count; second += 1) await see(second);
    return countRead('observedAt', () => see(count));
  }
  const level = { type: 'level', metric: 'get_in', at_or_below: 50 };

  it('do not become more as the hour goes on, where no rule looks back on it', async () => {
    expect(await readAfter(40, 11, level)).toBe(await readAfter(10, 12, level));
  });

  it('are those of the hour where a rule does', async () => {
    const drop = {
      type: 'change',
      metric: 'get_in',
      drops_by: { percent: 90 },
      from: { of: 'high', window: '1h' },
    };
    const [early, late] = [await readAfter(10, 13, drop), await readAfter(40, 14, drop)];
    expect(late - early).toBe(30);
  });
});

describe('messages that are kept up to date', () => {
  const level = { type: 'level', metric: 'get_in', at_or_below: 80 };

  const writes = /^(Put|Update|Delete)/;

  /** The names of the requests to DynamoDB meanwhile. */
  async function requestsIn(work: () => Promise<unknown>): Promise<string[]> {
    const requests: string[] = [];
    tables.client.middlewareStack.add(
      (next, { commandName }) =>
        (args) => {
          requests.push(String(commandName).replace('Command', ''));
          return next(args);
        },
      { step: 'initialize', name: 'listRequests', override: true },
    );
    await work();
    tables.client.middlewareStack.remove('listRequests');
    return requests.sort();
  }

  async function anAlertedEvent(event: number, isChat: boolean) {
    await tables.stores.channels.remove(channelId);
    // From half of the day's limit on each alert is counted by itself, whatever its id.
    const day = { startsAt: Date.parse('2026-03-01'), endsAt: Date.parse('2026-03-02') };
    const name = `alerts#${channelId}`;
    await tables.stores.tallies.take({ name, ...day, ceiling: 5_000 }, 5_000);
    const pipeline = await createPipeline(tables.stores, { event, isChat });
    await pipeline.addWatch([level]);
    await pipeline.see(100);
    const seen = await requestsIn(() => pipeline.see(74));
    return { pipeline, writesOfAlert: seen.filter((name) => writes.test(name)) };
  }

  /** The requests of the evaluation of one more snapshot after an alert, and of the edits that it asks for. */
  async function requestsOf(event: number, isChat: boolean) {
    const { pipeline, writesOfAlert } = await anAlertedEvent(event, isChat);
    pipeline.clock.now += 60_000;
    const { now } = pipeline.clock;
    await tables.stores.snapshots.createAll([snapshotFromStats(event, aSnapshot(now, 70))], now);
    const requests = await requestsIn(() => pipeline.evaluate());
    const { length: edits } = pipeline.edits;
    const ofEdits = await requestsIn(() => pipeline.settleEdits());
    return { writesOfAlert, requests, edits, ofEdits };
  }

  it('cost an evaluation no request to DynamoDB, whether the event has some or none', async () => {
    const without = await requestsOf(21, false);
    const having = await requestsOf(22, true);
    expect([without.edits, without.ofEdits]).toEqual([0, []]);
    expect(having.edits).toBe(1);
    expect(having.requests).toEqual(without.requests);
  });

  it('cost their alert two writes, and every other alert none', async () => {
    const { writesOfAlert: ofMail } = await anAlertedEvent(23, false);
    const { writesOfAlert: ofChat } = await anAlertedEvent(24, true);
    expect(ofChat.length - ofMail.length).toBe(2);
  });

  it('cost a run four reads, a message two, and its edit four reads and two writes', async () => {
    const { ofEdits } = await requestsOf(25, true);
    const counts = Object.groupBy(ofEdits, (name) => name);
    expect([counts.Query?.length, counts.GetItem?.length]).toEqual([2, 2 + 2 + 4]);
    expect(ofEdits.filter((name) => writes.test(name))).toEqual(['UpdateItem', 'UpdateItem']);
  });
});
