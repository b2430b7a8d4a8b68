// A daily digest comes once a calendar day, over every clock change of three years. The calendar here is
// Intl's; the code uses Temporal.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hearingTimeOf, quietEndsAt } from '#shared/watchlist/hearing-time.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const [from, through] = [Date.UTC(2026, 0, 1), Date.UTC(2029, 0, 1)];

/** Reads the clocks of a zone: "2026-11-01 02:30". */
function clocksIn(timeZone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return (at) => format.format(at);
}

/** When the clocks of a zone change (epoch ms), found in steps of half an hour. */
function changesIn(timeZone: string): number[] {
  const clocks = clocksIn(timeZone);
  const ahead = (at: number) => Date.parse(`${clocks(at).replace(' ', 'T')}Z`) - at;
  const found: number[] = [];
  const dayMs = 24 * hourMs;
  for (let day = from; day < through; day += dayMs) {
    if (ahead(day) === ahead(day + dayMs)) continue;
    let change = day;
    while (ahead(change) === ahead(day)) change += hourMs / 2;
    found.push(change);
  }
  return found;
}

const zones = Intl.supportedValuesOf('timeZone').filter((zone) => changesIn(zone).length > 0);
const zone = fc.constantFrom(...zones);
/** Most times of the night, when clocks change. */
const clockTime = fc
  .oneof(
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 239 }) },
    { weight: 1, arbitrary: fc.nat(1_439) },
  )
  .map((minute) => {
    const two = (number: number) => String(number).padStart(2, '0');
    return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
  });

/** The digests of alerts that fire every 20 minutes around a clock change. */
function digestsAround(change: number, timeZone: string, dailyAt: string): number[] {
  const times = { timeZone, quietHours: undefined, digest: { mode: 'daily', dailyAt } } as const;
  const due = new Set<number>();
  for (let at = change - 36 * hourMs; at < change + 36 * hourMs; at += 20 * minuteMs) {
    due.add(hearingTimeOf(at, times)?.at ?? at);
  }
  return [...due];
}

describe('a daily digest', () => {
  it('comes once on the day that the clocks go back over its time', () => {
    const change = Date.parse('2026-11-01T06:00:00Z');
    const due = digestsAround(change, 'America/New_York', '01:30');
    expect(due.map((at) => new Date(at).toISOString())).toEqual([
      '2026-10-31T05:30:00.000Z',
      '2026-11-01T05:30:00.000Z',
      '2026-11-02T06:30:00.000Z',
      '2026-11-03T06:30:00.000Z',
    ]);
  });

  it('comes after the change on the day that the clocks skip its time', () => {
    const change = Date.parse('2026-03-08T07:00:00Z');
    const due = digestsAround(change, 'America/New_York', '02:30');
    expect(due.map((at) => new Date(at).toISOString())).toContain('2026-03-08T07:00:00.000Z');
  });

  it('comes once every calendar day, in every zone that changes its clocks', () => {
    expect(zones.length).toBeGreaterThan(100);
    fc.assert(
      fc.property(zone, clockTime, (timeZone, dailyAt) => {
        const clocks = clocksIn(timeZone);
        for (const change of changesIn(timeZone)) {
          const days = digestsAround(change, timeZone, dailyAt).map((at) =>
            clocks(at).slice(0, 10),
          );
          expect(new Set(days).size).toBe(days.length);
          const [first = '', last = ''] = [days[0], days.at(-1)];
          expect(Date.parse(last) - Date.parse(first)).toBe((days.length - 1) * 24 * hourMs);
        }
      }),
      { numRuns: 20 },
    );
  });
});

describe('an hourly digest', () => {
  it('comes within the next hour, also where the clocks change by half an hour', () => {
    const digest = { mode: 'hourly', dailyAt: '08:00' } as const;
    fc.assert(
      fc.property(
        fc.oneof(zone, fc.constant('Australia/Lord_Howe')),
        fc.integer({ min: -180, max: 180 }),
        (timeZone, shift) => {
          for (const change of changesIn(timeZone)) {
            const at = change + shift * minuteMs;
            const due = hearingTimeOf(at, { timeZone, quietHours: undefined, digest })?.at ?? at;
            expect(due).toBeGreaterThan(at);
            expect(due - at).toBeLessThanOrEqual(hourMs);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('quiet hours', () => {
  it('end at the first minute that the clocks show their end or a later time', () => {
    fc.assert(
      fc.property(zone, clockTime, fc.integer({ min: -180, max: 60 }), (timeZone, to, shift) => {
        const clocks = clocksIn(timeZone);
        for (const change of changesIn(timeZone)) {
          const at = change + shift * minuteMs;
          const quiet = { from: '18:00', to };
          const end = quietEndsAt(at, quiet, timeZone);
          const isQuiet = (time: number) => {
            const clock = clocks(time).slice(11);
            return to > '18:00' ? clock >= '18:00' && clock < to : clock >= '18:00' || clock < to;
          };
          if (to === '18:00') continue;
          let wanted: number | undefined = at;
          while (isQuiet(wanted)) wanted += minuteMs;
          expect(end ?? at).toBe(wanted);
        }
      }),
      { numRuns: 60 },
    );
  });
});
