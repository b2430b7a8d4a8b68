// Finds stored times by our clock for times by the marketplace's clock.
import { describe, expect, it } from 'vitest';
import { inOurTime, storedTimeOf } from './our-time.ts';

const from = (stored: number[], marketAheadMs = 600_000) => ({
  stored: new Set(stored),
  marketAheadMs,
});

describe('a refresh by the marketplace’s clock', () => {
  it('is found under its time by ours, to within whole seconds', () => {
    expect(storedTimeOf(1_000_123, from([400_123]))).toBe(400_123);
    expect(storedTimeOf(1_000_123, from([402_123]))).toBe(402_123);
    expect(storedTimeOf(1_000_123, from([399_123]))).toBe(399_123);
  });

  it('is not taken for another refresh of the same second', () => {
    expect(storedTimeOf(1_000_123, from([400_124]))).toBeUndefined();
    expect(storedTimeOf(1_000_123, from([1_000_123]))).toBeUndefined();
    expect(storedTimeOf(1_000_123, from([411_123]))).toBeUndefined();
  });

  it('has our time also when it is not stored', () => {
    const seen = [{ observedAt: 1_000_123 }, { observedAt: 1_060_500 }];

    expect(inOurTime(seen, from([401_123]))).toEqual([
      { observedAt: 401_123 },
      { observedAt: 460_500 },
    ]);
  });
});
