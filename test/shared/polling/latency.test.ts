import { describe, expect, it } from 'vitest';
import {
  expectLatencyKept,
  measureLatency,
  minuteMs,
  stepsMs,
} from '#test/support/kept-latency.ts';

describe('the wished latency', () => {
  it('is kept whatever the rhythm was until now', async () => {
    expect(await expectLatencyKept(10)).toBeGreaterThan(200);
  }, 120_000);

  it.each<[string, number[]]>([
    ['a gap of 3 h', [180]],
    ['a gap of 10 h', [600]],
    ['a gap of a day', [1_440]],
    ['nine gaps of an hour', Array(9).fill(60)],
  ])('is kept when the market becomes fast after %s', async (_name, slowGaps) => {
    const gapsMs = [...slowGaps, ...Array(12).fill(5)].map((gap) => gap * minuteMs);
    const historyMs = slowGaps.reduce((sum, gap) => sum + gap, 0) * minuteMs + 1;
    const { beyondMs, told } = await measureLatency([
      { gapsMs: [1, ...gapsMs], historyMs, latencySeconds: 60 },
    ]);

    expect(told.length).toBeGreaterThan(4);
    expect(beyondMs).toBeLessThanOrEqual(stepsMs);
  });
});
