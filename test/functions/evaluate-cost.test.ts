// What a snapshot costs in DynamoDB: it grows with the triggers that it reaches, not with those that
// wait on the event.
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileRule } from '#shared/rules/compile.ts';
import { createTrigger } from '#shared/rules/trigger.ts';
import { createPipeline, ownerId } from '#test/support/pipeline.ts';
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

/** Triggers that one snapshot's value makes the index hand out, by DynamoDB's own count of items read. */
async function triggersRead(event: number, value: number): Promise<number> {
  let scanned = 0;
  tables.client.middlewareStack.add(
    (next, context) => async (args) => {
      const result = await next(args);
      if (context.commandName === QueryCommand.name) {
        const { Items = [], ScannedCount = 0 } = result.output as {
          Items?: object[];
          ScannedCount?: number;
        };
        if (Items.some((item) => 'triggerPartition' in item)) scanned += ScannedCount;
      }
      return result;
    },
    { step: 'initialize', name: 'countTriggers', override: true },
  );
  const { index } = tables.stores.triggers.forEvent(event);
  const range = { series: 'stats/get_in', direction: 'down' as const, value };
  await index.armedReachedBy(range);
  await index.firedPassedBy(range);
  await index.unsettled();
  tables.client.middlewareStack.remove('countTriggers');
  return scanned;
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
