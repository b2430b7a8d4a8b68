import { describe, expect, it } from 'vitest';
import { createCountAlerts } from '#shared/delivery/count-alerts.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const alert = (n: number) => ({ alertId: `alt_${n}_1`, channelId: 'ch_1' });

/** A tally in memory, and the places that each write took. */
function aTally(count = 0) {
  const writes: number[] = [];
  const windows = new Set<string>();
  const countAlert = createCountAlerts({
    countOf: async () => count,
    takePlace: async ({ name, startsAt, ceiling }, places) => {
      windows.add(`${name} ${new Date(startsAt).toISOString()}`);
      if (count >= ceiling) return false;
      writes.push(places);
      count += places;
      return true;
    },
  });
  return { countAlert, writes, windows };
}

/** How many of so many alerts pass, one after the other. */
async function passing({ countAlert }: ReturnType<typeof aTally>, alerts: number) {
  let passed = 0;
  for (let n = 0; n < alerts; n += 1) if (await countAlert(alert(n), now)) passed += 1;
  return passed;
}

describe('the alerts of a channel and day', () => {
  it('cost one write for about ten, while there are few', async () => {
    const tally = aTally();
    expect(await passing(tally, 3_000)).toBe(3_000);
    expect(new Set(tally.writes)).toEqual(new Set([10]));
    expect(tally.writes.length).toBeGreaterThan(250);
    expect(tally.writes.length).toBeLessThan(350);
    expect([...tally.windows]).toEqual(['alerts#ch_1 2026-03-01T00:00:00.000Z']);
  });

  it('end at about 10,000, and none passes after the last', async () => {
    const tally = aTally();
    const passed = await passing(tally, 13_000);
    expect(passed).toBeGreaterThan(9_000);
    expect(passed).toBeLessThan(11_000);
    expect(await passing(tally, 500)).toBe(0);
  });

  it('count one by one from half of the limit on', async () => {
    const tally = aTally(5_000);
    expect(await passing(tally, 6_000)).toBe(5_000);
    expect(new Set(tally.writes)).toEqual(new Set([1]));
  });

  it('count the same when an alert is tried again', async () => {
    const once = aTally();
    await passing(once, 200);
    const again = aTally();
    await passing(again, 200);
    expect(again.writes).toEqual(once.writes);
  });
});
