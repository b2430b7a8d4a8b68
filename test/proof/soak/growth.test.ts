// What counts as growth over a run: a leak does, a garbage collection or a busy minute doesn't.
import { describe, expect, it } from 'vitest';
import { judgeGrowth, median } from './growth.ts';

const heap = { name: 'heap', unit: 'MB', tolerance: { factor: 1.1, slack: 8 } };
const minutes = Array.from({ length: 30 }, (_, minute) => minute);

/** A heap that returns to 60 MB; one minute in five is measured before its collection. */
const sawtooth = (minute: number) => (minute % 5 === 3 ? 110 : 60 + (minute % 3));

describe('growth', () => {
  it('is seen in a leak of 400 bytes an alert at 50 alerts a second', () => {
    const megabytesAMinute = (50 * 60 * 400) / 1e6;
    const values = minutes.map((minute) => sawtooth(minute) + minute * megabytesAMinute);
    expect(judgeGrowth({ ...heap, values }, 5).isGrowing).toBe(true);
  });

  it('is not seen in a sawtooth that stays where it is', () => {
    const judgement = judgeGrowth({ ...heap, values: minutes.map(sawtooth) }, 5);
    expect(judgement).toMatchObject({ first: 61, last: 61.5, isGrowing: false });
  });

  it('is not seen in the warm-up', () => {
    const values = minutes.map((minute) => (minute < 5 ? 20 + minute * 8 : 60));
    expect(judgeGrowth({ ...heap, values }, 5).isGrowing).toBe(false);
  });

  it('is not seen in one bad minute at the end', () => {
    const values = minutes.map((minute) => (minute === 29 ? 400 : 60));
    expect(judgeGrowth({ ...heap, values }, 5).isGrowing).toBe(false);
  });

  it('is seen in a queue that falls behind by a second a minute', () => {
    const queue = { name: 'oldest message', unit: 's', tolerance: { factor: 1.5, slack: 2 } };
    const values = minutes.map((minute) => 1 + minute);
    expect(judgeGrowth({ ...queue, values }, 5).isGrowing).toBe(true);
  });

  it('is assumed where there is nothing to measure any more', () => {
    const values = minutes.map((minute) => (minute > 15 ? Number.NaN : 60));
    expect(judgeGrowth({ ...heap, values }, 5).isGrowing).toBe(true);
  });

  it('is not judged by fewer than three rows', () => {
    expect(() => judgeGrowth({ ...heap, values: [1, 2, 3, 4] }, 2)).toThrow(
      'heap: 2 rows are too few to judge',
    );
  });
});

describe('the median', () => {
  it('is the middle value, or the mean of the two in the middle', () => {
    expect(median([5, 1, 3])).toBe(3);
    expect(median([4, 1, 3, 2])).toBe(2.5);
  });
});
