// Counts the alerts of a channel and day against their limit, which stops a rule that runs away. While there are few, one
// of ten alerts counts for all ten, so that an alert among 50,000 costs no write of its own; from half of the limit on,
// each counts by itself.
import { createHash } from 'node:crypto';
import { dayWindow } from '#shared/moment.ts';

/** Alerts per channel and day (UTC): far above normal use, and below what a runaway rule makes. */
const alertsPerDay = 10_000;
const countedByItself = alertsPerDay / 2;
/** So many alerts, on average, have one that counts for them. */
const countedTogether = 10;

interface CountAlertsDeps {
  /** How many places of a window are taken. */
  countOf: (window: { name: string; startsAt: number }) => Promise<number>;
  /** Takes places, unless the limit is reached. */
  takePlace: (
    window: { name: string; startsAt: number; endsAt: number; ceiling: number },
    places: number,
  ) => Promise<boolean>;
}

/** @returns false when the channel has had its alerts of the day; `now` is epoch milliseconds. */
export type CountAlert = (
  alert: { alertId: string; channelId: string },
  now: number,
) => Promise<boolean>;

/** A repeat of an alert that counted counts it again, which takes places and never gives any. */
export function createCountAlerts({ countOf, takePlace }: CountAlertsDeps): CountAlert {
  return async function countAlert({ alertId, channelId }, now) {
    const window = { name: `alerts#${channelId}`, ...dayWindow(now) };
    const limited = { ...window, ceiling: alertsPerDay };
    if ((await countOf(window)) >= countedByItself) return takePlace(limited, 1);
    return !countsForOthers(alertId) || takePlace(limited, countedTogether);
  };
}

/** By the alert's id, so that a retry decides the same. */
function countsForOthers(alertId: string): boolean {
  const digest = createHash('sha256').update(alertId).digest();
  return digest.readUInt32BE() % countedTogether === 0;
}
