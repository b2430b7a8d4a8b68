// What is readable of a damaged alert, as JSON.
import * as z from 'zod';
import type { Alert } from '#shared/alerts/alert.ts';
import { damagedFields, timeOrNull } from '../damaged-rows.ts';

export const damagedAlertSchema = z
  .object({
    ...damagedFields,
    watch_id: z.string().nullable(),
    rule_id: z.string().nullable(),
    event_id: z.int().nullable(),
    event_name: z.string().nullable(),
    event_date: z.string().nullable(),
    sentence: z.string().nullable(),
    observed_at: z.iso.datetime().nullable(),
    fired_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'DamagedAlert' });

/** @param damaged the names of the fields that can't be read. */
export function damagedAlertJson(
  alert: Partial<Alert>,
  damaged: string[],
): z.infer<typeof damagedAlertSchema> {
  return {
    ...{ id: alert.alertId ?? '', damaged },
    watch_id: alert.watchId ?? null,
    rule_id: alert.ruleId ?? null,
    event_id: alert.eventId ?? null,
    event_name: alert.eventName ?? null,
    event_date: alert.eventDate ?? null,
    sentence: alert.sentence ?? null,
    observed_at: timeOrNull(alert.observedAt),
    fired_at: timeOrNull(alert.firedAt),
  };
}
