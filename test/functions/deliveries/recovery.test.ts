// Recoveries that are held back: told if they are still true, and if their alert was told before.
import { beforeEach, describe, expect, it } from 'vitest';
import { chat, hour, minute, openDeliveries } from '#test/support/deliveries/setup.ts';
import { below80, ownerId } from '#test/support/delivering.ts';

const { opened, make, values } = openDeliveries();
const rule = { ...below80, tell_recovery: true } as const;
const quietHours = { from: '22:00', to: '07:00' };

beforeEach(async () => {
  await opened.tables.stores.access.changeOwner(ownerId, { timeZone: 'UTC', quietHours });
  opened.rig.clock.now = Date.parse('2026-03-01T21:00:00Z');
});

describe('a recovery in quiet hours', () => {
  it('waits for their end, and is told if the level is not reached then', async () => {
    const watch = await opened.rig.watch([rule], await make(chat));
    await opened.rig.fire(watch, { value: 74 });
    await opened.rig.pass(2 * hour);
    await opened.rig.recover(watch, { value: 90 });
    await opened.rig.market(81);
    await opened.rig.pass(9 * hour, 30 * minute);

    expect(values()).toEqual([[7_400], [9_000]]);
    expect(opened.rig.sent[1]?.message.headline).toMatch(/^\$90 ▲ went back: Event 4711 · /);
    expect(opened.rig.sent[1]?.at).toBe(Date.parse('2026-03-02T07:00:00Z'));
  });

  it('is left out if the level is reached again by then', async () => {
    const watch = await opened.rig.watch([rule], await make(chat));
    await opened.rig.fire(watch, { value: 74 });
    await opened.rig.pass(2 * hour);
    const alertId = await opened.rig.recover(watch, { value: 90 });
    await opened.rig.market(80);
    await opened.rig.pass(9 * hour, 30 * minute);

    expect(values()).toEqual([[7_400]]);
    expect((await opened.rig.log()).at(-1)).toMatchObject({
      leftOut: [{ alertId, reason: 'superseded' }],
    });
  });

  it('is left out with an alert that its reader was never told of', async () => {
    opened.rig.clock.now += 2 * hour;
    const watch = await opened.rig.watch([rule], await make(chat));
    await opened.rig.fire(watch, { value: 74 });
    opened.rig.clock.now += minute;
    await opened.rig.recover(watch, { value: 90 });
    await opened.rig.market(91);
    await opened.rig.pass(9 * hour, 30 * minute);

    expect(opened.rig.sent).toEqual([]);
  });

  it('is told although the rule fired and recovered again before it was due', async () => {
    const watch = await opened.rig.watch([rule], await make(chat));
    await opened.rig.fire(watch, { value: 74 });
    await opened.rig.pass(2 * hour);
    await opened.rig.recover(watch, { value: 90 });
    opened.rig.clock.now += minute;
    await opened.rig.fire(watch, { value: 72, generation: 2 });
    opened.rig.clock.now += minute;
    await opened.rig.recover(watch, { value: 95, generation: 2 });
    await opened.rig.market(96);
    await opened.rig.pass(9 * hour, 30 * minute);

    expect(values()).toEqual([[7_400], [9_000]]);
  });

  it('gives way to the alert that the rule raised again', async () => {
    const watch = await opened.rig.watch([rule], await make(chat));
    await opened.rig.fire(watch, { value: 74 });
    await opened.rig.pass(2 * hour);
    await opened.rig.recover(watch, { value: 90 });
    opened.rig.clock.now += minute;
    await opened.rig.fire(watch, { value: 72, generation: 2 });
    await opened.rig.market(71);
    await opened.rig.pass(9 * hour, 30 * minute);

    expect(values()).toEqual([[7_400], [7_200]]);
  });
});
