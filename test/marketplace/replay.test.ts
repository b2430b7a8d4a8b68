import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { MissingColumnError } from '#marketplace/import/csv-lines.ts';
import { maxListingsPerTier, planReplay, readRecording } from '#marketplace/replay.ts';

const folder = mkdtempSync(join(tmpdir(), 'replay-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const header =
  'sh_event_id,event_name,home_team,event_date,observed_on,zone,avg_price,listings_observed';
const small = file(
  'small.csv',
  `${header}
11,A at B,B,2014-11-14,2014-11-12,High,319.28,3
11,A at B,B,2014-11-14,2014-11-12,Low,74.80,820
11,A at B,B,2014-11-14,2014-11-13,Low,70.01,2
12,C at D,D,2014-12-20,2014-11-13,Low,50,1
`,
);

const start = Date.parse('2026-11-27T12:00:00Z');

describe('replay', () => {
  it('groups a recording by day and schedules it at the given speed', async () => {
    const replay = planReplay(await readRecording(small), { start, speed: 86_400 });
    expect(replay.steps.map((step) => step.at - start)).toEqual([0, 1000]);
    expect(replay.steps.map((step) => [...step.sets()].length)).toEqual([1, 2]);
    expect(replay.endsAt).toBe(start + 1000);
  });

  it("moves every game after the replay's end and keeps the distances", async () => {
    const replay = planReplay(await readRecording(small), { start, speed: 86_400 });
    expect(replay.events.map((event) => event.event_date)).toEqual(['2026-11-29', '2027-01-04']);
    const slow = planReplay(await readRecording(small), { start, speed: 1 });
    for (const event of slow.events) {
      expect(Date.parse(event.event_date)).toBeGreaterThan(slow.endsAt);
    }
  });

  it('a tier has exactly the recorded mean, and as many listings as observed, up to the cap', async () => {
    const { steps } = planReplay(await readRecording(small), { start, speed: 1 });
    const tierOf = (step: number, set: number, zone: string) =>
      ([...(steps[step]?.sets() ?? [])][set]?.listings ?? []).filter(
        (listing) => listing.zone === zone,
      );
    const meanCents = (listings: { price: number }[]) =>
      listings.reduce((sum, { price }) => sum + Math.round(price * 100), 0) / listings.length;
    expect(tierOf(0, 0, 'High')).toHaveLength(3);
    expect(meanCents(tierOf(0, 0, 'High'))).toBe(31_928);
    expect(tierOf(0, 0, 'Low')).toHaveLength(maxListingsPerTier);
    expect(meanCents(tierOf(0, 0, 'Low'))).toBe(7480);
    expect(meanCents(tierOf(1, 0, 'Low'))).toBe(7001);
    expect(meanCents(tierOf(1, 1, 'Low'))).toBe(5000);
  });

  it('gives the same result every time', async () => {
    const plan = async () => {
      const replay = planReplay(await readRecording(small), { start, speed: 7 });
      return JSON.stringify([replay.events, replay.steps.map((step) => [...step.sets()])]);
    };
    expect(await plan()).toBe(await plan());
  });

  it('skips a line that it cannot read and names its number', async () => {
    const path = file(
      'broken.csv',
      `${header}
11,A at B,B,2014-11-14,2014-11-12,High,319.28,3
x,A at B,B,2014-11-14,2014-11-12,High,319.28,3
11,,B,2014-11-14,2014-11-12,High,319.28,3
11,A at B,B,2014-11-14,2014-13-12,High,319.28,3
11,A at B,B,2014-11-14,2014-11-12,High,"1.226,00",3
11,A at B,B,2014-11-14,2014-11-12,High,319.28,0
11,A at B,B
`,
    );
    const recording = await readRecording(path);
    expect(recording.skipped).toEqual([
      { line: 3, why: 'sh_event_id is not an integer' },
      { line: 4, why: 'event_name is empty' },
      { line: 5, why: 'observed_on is not YYYY-MM-DD' },
      { line: 6, why: 'avg_price is not a price' },
      { line: 7, why: 'listings_observed is not a count' },
      { line: 8, why: 'event_date is not YYYY-MM-DD' },
    ]);
    expect(recording.days).toHaveLength(1);
  });

  it.each([
    [
      'a column is missing',
      'sh_event_id,event_name,home_team,event_date,observed_on,zone,avg_price\n1,a,b,c,d,e,f\n',
      'listings_observed',
    ],
    ['the file is empty', '', 'sh_event_id'],
  ])('%s: an error that names the column', async (_, text, column) => {
    const error = await readRecording(file('missing.csv', text)).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(MissingColumnError);
    expect(String(error)).toContain(`"${column}"`);
  });

  const recorded = '../shared/data/resale-nba-2014.csv';
  if (!existsSync(recorded)) console.warn(`replay: ${recorded} is not here, its test is skipped`);

  it.skipIf(!existsSync(recorded))(
    'reads the whole recorded season, every mean exact',
    async () => {
      const recording = await readRecording(recorded);
      expect(recording.games).toHaveLength(1050);
      expect(recording.skipped).toEqual([]);
      const { steps } = planReplay(recording, { start, speed: 86_400 });
      let tiers = 0;
      for (const [index, step] of steps.entries()) {
        const recorded = [...(recording.days[index]?.tiers.values() ?? [])];
        for (const [setIndex, set] of [...step.sets()].entries()) {
          for (const tier of recorded[setIndex] ?? []) {
            let sum = 0;
            let count = 0;
            for (const { zone, price } of set.listings) {
              if (zone !== tier.zone) continue;
              sum += Math.round(price * 100);
              count += 1;
            }
            if (sum !== tier.averageCents * count) expect(sum / count).toBe(tier.averageCents);
            tiers += 1;
          }
        }
      }
      expect(tiers).toBe(53_857);
    },
  );
});
