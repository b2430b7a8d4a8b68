// Quiet hours and digests on the owner's clocks.
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hearingTimeOf, quietEndsAt } from '#shared/watchlist/hearing-time.ts';
import type { HearingTimes } from '#shared/watchlist/owner.ts';

const night = { from: '22:00', to: '07:00' };
const at = (time: string) => Date.parse(time);
const endsAt = (time: string, zone: string, hours = night) => {
  const end = quietEndsAt(at(time), hours, zone);
  return end === undefined ? 'open' : new Date(end).toISOString();
};

afterEach(() => void vi.unstubAllEnvs());

describe('quiet hours', () => {
  it.each(['UTC', 'America/New_York', 'Asia/Seoul'])(
    'are on the owner’s clocks when the process runs in %s',
    (processZone) => {
      vi.stubEnv('TZ', processZone);
      expect(endsAt('2026-03-01T13:30:00Z', 'Asia/Seoul')).toBe('2026-03-01T22:00:00.000Z');
      expect(endsAt('2026-03-01T22:30:00Z', 'Asia/Seoul')).toBe('open');
    },
  );

  it.each([
    ['2026-03-07T11:30:00Z', '2026-03-07T12:00:00.000Z'],
    ['2026-03-08T10:30:00Z', '2026-03-08T11:00:00.000Z'],
    ['2026-03-08T11:30:00Z', 'open'],
    ['2026-11-01T11:30:00Z', '2026-11-01T12:00:00.000Z'],
    ['2026-11-01T12:30:00Z', 'open'],
    // Held over the change itself, both ways.
    ['2026-03-08T03:30:00Z', '2026-03-08T11:00:00.000Z'],
    ['2026-11-01T03:30:00Z', '2026-11-01T12:00:00.000Z'],
  ])('follow the clock changes: %s is quiet until %s', (time, end) => {
    expect(endsAt(time, 'America/New_York')).toBe(end);
  });

  it.each([
    ['21:59:59.999', 'open'],
    ['22:00:00.000', '2026-03-02T07:00:00.000Z'],
    ['23:59:30.000', '2026-03-02T07:00:00.000Z'],
    ['00:00:00.000', '2026-03-01T07:00:00.000Z'],
    ['06:59:59.999', '2026-03-01T07:00:00.000Z'],
    ['07:00:00.000', 'open'],
  ])('begin inclusive and end exclusive: at %s', (time, end) => {
    expect(endsAt(`2026-03-01T${time}Z`, 'UTC')).toBe(end);
  });

  it('may end at 24:00', () => {
    const evening = { from: '20:00', to: '24:00' };
    expect(endsAt('2026-03-01T23:59:59Z', 'UTC', evening)).toBe('2026-03-02T00:00:00.000Z');
    expect(endsAt('2026-03-02T00:00:00Z', 'UTC', evening)).toBe('open');
  });

  it.each([
    ['2026-03-08T06:30:00Z', 'America/New_York', '02:30', '2026-03-08T07:00:00.000Z'],
    ['2026-03-08T06:59:59Z', 'America/New_York', '02:00', '2026-03-08T07:00:00.000Z'],
    ['2026-03-08T07:00:00Z', 'America/New_York', '02:30', 'open'],
    ['2026-03-29T00:30:00Z', 'Europe/Berlin', '02:30', '2026-03-29T01:00:00.000Z'],
    ['2026-10-03T15:00:00Z', 'Australia/Lord_Howe', '02:15', '2026-10-03T15:30:00.000Z'],
    ['2026-09-06T03:30:00Z', 'America/Santiago', '00:30', '2026-09-06T04:00:00.000Z'],
  ])('at %s in %s end at %s or, if the clocks skip that, at the change', (time, zone, to, end) => {
    expect(endsAt(time, zone, { from: '22:00', to })).toBe(end);
  });

  it('end at the next showing of a time that comes twice', () => {
    const early = { from: '22:00', to: '01:30' };
    expect(endsAt('2026-11-01T05:10:00Z', 'America/New_York', early)).toBe(
      '2026-11-01T05:30:00.000Z',
    );
    expect(endsAt('2026-11-01T06:10:00Z', 'America/New_York', early)).toBe(
      '2026-11-01T06:30:00.000Z',
    );
  });

  it('always end later than now, and within a day and the hour of a clock change', () => {
    const zones = ['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu'];
    const clock = fc
      .tuple(fc.nat(23), fc.nat(59))
      .map(([h, m]) => `${String(h).padStart(2, '0')}:${String(m).padStart(2, '0')}`);
    fc.assert(
      fc.property(
        fc.date({ min: new Date('2025-01-01'), max: new Date('2027-12-31'), noInvalidDate: true }),
        fc.constantFrom(...zones),
        clock,
        clock,
        (date, zone, from, to) => {
          fc.pre(from !== to);
          const end = quietEndsAt(date.getTime(), { from, to }, zone);
          if (end === undefined) return;
          expect(end).toBeGreaterThan(date.getTime());
          expect(end - date.getTime()).toBeLessThanOrEqual(25 * 3_600_000);
        },
      ),
    );
  });
});

describe('a digest', () => {
  const times = (changes: Partial<HearingTimes>): HearingTimes => ({
    timeZone: 'America/New_York',
    quietHours: undefined,
    digest: { mode: 'off', dailyAt: '08:00' },
    ...changes,
  });
  const hourly = { mode: 'hourly', dailyAt: '08:00' } as const;
  const daily = { mode: 'daily', dailyAt: '08:00' } as const;

  it.each<[string, Partial<HearingTimes>, string, string | undefined, string | undefined]>([
    ['off: at once', {}, '2026-03-01T15:10:00Z', undefined, undefined],
    [
      'hourly: at the next full hour',
      { digest: hourly },
      '2026-03-01T15:10:00Z',
      '2026-03-01T16:00:00.000Z',
      'digest',
    ],
    [
      'hourly, in a zone of half hours',
      { digest: hourly, timeZone: 'Asia/Kolkata' },
      '2026-03-01T15:10:00Z',
      '2026-03-01T15:30:00.000Z',
      'digest',
    ],
    [
      'daily: today',
      { digest: daily },
      '2026-03-01T12:10:00Z',
      '2026-03-01T13:00:00.000Z',
      'digest',
    ],
    [
      'daily: tomorrow',
      { digest: daily },
      '2026-03-01T13:00:00Z',
      '2026-03-02T13:00:00.000Z',
      'digest',
    ],
    [
      'daily, over a clock change',
      { digest: daily },
      '2026-03-07T14:00:00Z',
      '2026-03-08T12:00:00.000Z',
      'digest',
    ],
    [
      'quiet hours alone',
      { quietHours: night },
      '2026-03-01T04:00:00Z',
      '2026-03-01T12:00:00.000Z',
      'quiet_hours',
    ],
    [
      'a digest that falls into quiet hours waits for their end',
      { digest: hourly, quietHours: night },
      '2026-03-01T02:59:00Z',
      '2026-03-01T12:00:00.000Z',
      'digest',
    ],
  ])('%s', (_, changes, now, due, reason) => {
    const found = hearingTimeOf(at(now), times(changes));
    expect(found && new Date(found.at).toISOString()).toBe(due);
    expect(found?.reason).toBe(reason);
  });
});
