// The body of `PATCH /v1/owner`. A setting is valid if the code that uses it later accepts it: time zones and
// times of day are tried with the functions that compute quiet hours.
import * as z from 'zod';
import { canHearIn } from './hearing-time.ts';
import { digestModes } from './owner.ts';

const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 22:00');
const closingTime = z
  .string()
  .regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time such as 07:00, or 24:00');

const quietHoursSchema = z
  .strictObject({ from: clockTime, to: closingTime })
  .refine(({ from, to }) => from !== to, {
    error: 'must not end at its start: that could mean always or never',
    path: ['to'],
  })
  .refine(({ from, to }) => !(from === '00:00' && to === '24:00'), {
    error: 'must leave some time of the day for alerts',
    path: ['to'],
  });

/** What an owner is called. */
export const ownerNameSchema = z.string().trim().min(1).max(100);

/** Absent fields stay unchanged; null switches the setting off. */
export const ownerChangeSchema = z
  .strictObject({
    name: ownerNameSchema,
    time_zone: z
      .string()
      .max(64)
      .refine(
        isTimeZone,
        'must be an IANA time zone with its region, such as America/New_York, or UTC; abbreviations such as EST or PST are not accepted',
      ),
    quiet_hours: quietHoursSchema.nullable(),
    digest: z
      .strictObject({ mode: z.enum(digestModes), daily_at: clockTime.default('08:00') })
      .nullable(),
    recaps: z.boolean().meta({
      description:
        'After each event one message says its lowest price, what your rules did, and what it cost',
    }),
  })
  .partial()
  .meta({ id: 'OwnerChange' });

export type OwnerChange = z.infer<typeof ownerChangeSchema>;

/**
 * Accepts names only, no offsets such as +02:00. Runtimes know few abbreviations and disagree about them:
 * EST can mean New York or Panama.
 */
function isTimeZone(name: string): boolean {
  return /^([A-Z]\w*\/|(UTC|GMT)$)/i.test(name) && canHearIn(name);
}
