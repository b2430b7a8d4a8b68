// An owner: whom a watchlist belongs to, and when they want to hear. One owner never sees another's
// things. What an owner may change is owner-change.ts's business.

/** On the owner's clocks: from `from` (inclusive) to `to` (exclusive), over midnight where `to` is earlier. */
export interface QuietHours {
  from: string;
  to: string;
}

export const digestModes = ['off', 'hourly', 'daily'] as const;

/** `dailyAt`, a time on the owner's clocks, counts for a daily digest. */
export interface Digest {
  mode: (typeof digestModes)[number];
  dailyAt: string;
}

/** An owner with the settings that were made; hearingTimesOf fills in what is absent. */
export interface Owner {
  ownerId: string;
  name: string;
  /** ISO 8601. */
  createdAt: string;
  /** An IANA name. */
  timeZone?: string | undefined;
  quietHours?: QuietHours | undefined;
  digest?: Digest | undefined;
  /** Grows with every change. */
  revision?: number | undefined;
}

/** When an owner wants to hear, with nothing left open. */
export interface HearingTimes {
  timeZone: string;
  quietHours: QuietHours | undefined;
  digest: Digest;
}

/**
 * An owner's settings, and for each that is absent or can't be used: everything at once, told in UTC.
 * A stored setting that this code can't use must never keep an alert from being sent.
 */
export function hearingTimesOf(owner: Owner | undefined): HearingTimes {
  return {
    timeZone: owner?.timeZone !== undefined && isPrintable(owner.timeZone) ? owner.timeZone : 'UTC',
    quietHours: owner?.quietHours,
    digest: owner?.digest ?? { mode: 'off', dailyAt: '08:00' },
  };
}

const printable = new Map<string, boolean>();

/** Whether times can be printed in a zone. A process meets few zones, and making a formatter is slow. */
function isPrintable(timeZone: string): boolean {
  const known = printable.get(timeZone);
  if (known !== undefined) return known;
  if (printable.size > 1_000) printable.clear();
  const isKnown = isIntlZone(timeZone);
  printable.set(timeZone, isKnown);
  return isKnown;
}

function isIntlZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
}
