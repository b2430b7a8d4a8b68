// What clocks add to UTC.
import { expect, it } from 'vitest';
import { utcOffsetMinutes } from '#shared/watchlist/local-clock.ts';

const winter = Date.parse('2026-11-29T19:02:00Z');
const summer = Date.parse('2026-07-29T19:02:00Z');

it.each<[string | undefined, number, number]>([
  ['America/New_York', winter, -300],
  ['America/New_York', summer, -240],
  ['Asia/Kolkata', winter, 330],
  ['UTC', winter, 0],
  [undefined, winter, 0],
  ['Mars/Base', winter, 0],
])('the clocks of %s at %i add %i minutes', (timeZone, at, minutes) => {
  expect(utcOffsetMinutes(timeZone, at)).toBe(minutes);
});
