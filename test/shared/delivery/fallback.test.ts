// When an urgent delivery goes to the fallback channel.
import { describe, expect, it } from 'vitest';
import { newDelivery } from '#shared/delivery/delivery.ts';
import { isFallbackDue, nextTryAt } from '#shared/delivery/fallback.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const minuteMs = 60_000;
const aDelivery = (isUrgent: boolean) =>
  newDelivery(
    {
      ...{ deliveryId: 'dlv_1', purpose: 'alert', ownerId: 'own_1', channelId: 'ch_1' },
      ...{ channelKind: 'email', isUrgent },
    },
    { now },
  );

describe('an urgent delivery', () => {
  it('goes to the fallback channel after 15 minutes, not before', () => {
    const urgent = aDelivery(true);
    expect(isFallbackDue(urgent, now + 15 * minuteMs - 1)).toBe(false);
    expect(isFallbackDue(urgent, now + 15 * minuteMs)).toBe(true);
    expect(isFallbackDue(aDelivery(false), now + 60 * minuteMs)).toBe(false);
  });

  it('is tried again at that time at the latest', () => {
    const [urgent, usual] = [aDelivery(true), aDelivery(false)];
    const at = now + 10 * minuteMs;
    expect(nextTryAt(urgent, at, 4 * minuteMs)).toBe(now + 14 * minuteMs);
    expect(nextTryAt(urgent, at, 20 * minuteMs)).toBe(now + 15 * minuteMs);
    expect(nextTryAt(usual, at, 20 * minuteMs)).toBe(now + 30 * minuteMs);
  });
});
