import { describe, expect, it } from 'vitest';
import { ownerWatchQuota, quotasFor, usualQuotas } from '#functions/api/quotas.ts';

describe('the quotas of an owner', () => {
  it('are 10,000 watches where nothing else is set', () => {
    expect(usualQuotas).toEqual({ watches: 10_000, rules: 50_000, channels: 50 });
  });

  it('grow with the watches that the deployment allows, but for channels', () => {
    expect(quotasFor(20)).toEqual({ watches: 20, rules: 100, channels: 50 });
  });

  it.each([
    ['1', 1],
    ['10000', 10_000],
    ['999999', 999_999],
  ])('reads the setting %s', (text, watches) => {
    expect(ownerWatchQuota.parse(text)).toBe(watches);
  });

  it.each(['', '0', '-5', '1e3', '1.5', ' 10', '1000000', 'many'])(
    'refuses the setting "%s"',
    (text) => {
      expect(ownerWatchQuota.safeParse(text).success).toBe(false);
    },
  );
});
