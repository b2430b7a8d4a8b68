// An owner of a watchlist, with their quiet hours and digest. Owners never see each other's data.
// owner-change.ts has the settings that an owner may change.

/** In the owner's time zone: `from` inclusive, `to` exclusive; over midnight if `to` is earlier. */
export interface QuietHours {
  from: string;
  to: string;
}

export const digestModes = ['off', 'hourly', 'daily'] as const;

/** `dailyAt`, in the owner's time zone, is the time of a daily digest. */
export interface Digest {
  mode: (typeof digestModes)[number];
  dailyAt: string;
}

/** The deletion of an owner: its id, and since when. */
export interface OwnerDeletion {
  deletionId: string;
  /** Epoch milliseconds. */
  since: number;
}

/** An owner with the stored settings; hearingTimesOf fills in absent ones. */
export interface Owner {
  ownerId: string;
  name: string;
  /** ISO 8601. */
  createdAt: string;
  /** An IANA name. */
  timeZone?: string | undefined;
  quietHours?: QuietHours | undefined;
  digest?: Digest | undefined;
  /** False: no recap after an event. @default true */
  recaps?: boolean | undefined;
  /** Grows with every change. */
  revision?: number | undefined;
  /** Present from the moment that everything of the owner is being deleted. */
  deletion?: OwnerDeletion | undefined;
}

/** An owner's quiet hours, digest and time zone, with all defaults filled in. */
export interface HearingTimes {
  timeZone: string;
  quietHours: QuietHours | undefined;
  digest: Digest;
}

/**
 * An owner's settings; for absent or unusable ones the default: send at once, with times in UTC. A stored
 * setting that this code can't use must never stop an alert.
 */
export function hearingTimesOf(owner: Owner | undefined): HearingTimes {
  return {
    timeZone: owner?.timeZone !== undefined && isPrintable(owner.timeZone) ? owner.timeZone : 'UTC',
    quietHours: owner?.quietHours,
    digest: owner?.digest ?? { mode: 'off', dailyAt: '08:00' },
  };
}

const printable = new Map<string, boolean>();

/**
 * Whether Intl knows a time zone. Cached, because making a formatter is slow and a process uses few zones.
 */
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
