// An owner: whoever a watchlist belongs to, and when they want to hear. One owner never sees
// another's things.
import { type FormattedValue, item, map, number, string } from 'dynamodb-toolbox/schema';
import * as z from 'zod';

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

/** `timeZone` is an IANA name. */
export const ownerSchema = item({
  ownerId: string().key(),
  name: string(),
  createdAt: string(),
  timeZone: string().optional(),
  quietHours: map({ from: string(), to: string() }).optional(),
  digest: map({ mode: string().enum(...digestModes), dailyAt: string() }).optional(),
  /** Grows with every change. */
  revision: number().optional(),
});

export type Owner = FormattedValue<typeof ownerSchema>;

/** When an owner wants to hear, with nothing left open. */
export interface HearingTimes {
  timeZone: string;
  quietHours: QuietHours | undefined;
  digest: Digest;
}

/** What an owner who has set nothing wants: everything at once, told in UTC. */
export function hearingTimesOf(owner: Owner | undefined): HearingTimes {
  return {
    timeZone: owner?.timeZone ?? 'UTC',
    quietHours: owner?.quietHours,
    digest: owner?.digest ?? { mode: 'off', dailyAt: '08:00' },
  };
}

const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 22:00');
const closingTime = z
  .string()
  .regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time such as 07:00, or 24:00');

const quietHoursSchema = z
  .strictObject({ from: clockTime, to: closingTime })
  .refine(({ from, to }) => from !== to, {
    error: 'must not end when it begins: that could mean always or never',
    path: ['to'],
  })
  .refine(({ from, to }) => !(from === '00:00' && to === '24:00'), {
    error: 'must leave some time to be heard in',
    path: ['to'],
  });

/** The body of `PATCH /v1/owner`; what is absent stays, null switches off. */
export const ownerChangeSchema = z
  .strictObject({
    time_zone: z
      .string()
      .max(64)
      .refine(isTimeZone, 'must be an IANA time zone such as America/New_York'),
    quiet_hours: quietHoursSchema.nullable(),
    digest: z
      .strictObject({ mode: z.enum(digestModes), daily_at: clockTime.default('08:00') })
      .nullable(),
  })
  .partial()
  .meta({ id: 'OwnerChange' });

export type OwnerChange = z.infer<typeof ownerChangeSchema>;

/** Whether this runtime knows the zone; names only, no offsets such as +02:00. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
