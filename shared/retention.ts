// How long stored things are kept, as the deployment sets it. DynamoDB deletes an item some time after its
// `expiresAtEpochSeconds`, within two days as a rule, so readers leave out what has expired.
import * as z from 'zod';

/** How long things are kept, in days. */
export interface Retention {
  /** Alerts, their decisions, and deliveries with their attempts. */
  alertDays: number;
  /** Earlier versions of watches. */
  versionDays: number;
}

/** The parameters' defaults: last season's alerts can be compared with this one's. */
export const usualRetention: Retention = { alertDays: 400, versionDays: 90 };

const days = z
  .string()
  .regex(
    /^([3-9]\d|[1-9]\d{2}|[1-2]\d{3}|3[0-5]\d{2}|36[0-4]\d|3650)$/,
    'must be a whole number of days, 30 to 3650',
  )
  .transform(Number);

/** The environment variables of the functions that store such things. */
export const retentionVariables = { ALERT_RETENTION_DAYS: days };

/** Those of the functions that change watches. */
export const versionVariables = { VERSION_RETENTION_DAYS: days };

/** The retention that these variables set. */
export function retentionOf({
  ALERT_RETENTION_DAYS: alertDays = usualRetention.alertDays,
  VERSION_RETENTION_DAYS: versionDays = usualRetention.versionDays,
}: RetentionSettings): Retention {
  return { alertDays, versionDays };
}

/** The parsed variables; without one, its default. */
export interface RetentionSettings {
  ALERT_RETENTION_DAYS?: number;
  VERSION_RETENTION_DAYS?: number;
}

/** When an item of a time (epoch ms) that is kept for some days may be deleted. */
export function expiryAfter(at: number, keptDays: number): number {
  return Math.floor(at / 1_000) + keptDays * 86_400;
}

/** Whether an item counts as deleted at a time (epoch ms). */
export function isExpired(
  { expiresAtEpochSeconds }: { expiresAtEpochSeconds?: number | undefined },
  now: number,
): boolean {
  return expiresAtEpochSeconds !== undefined && expiresAtEpochSeconds * 1_000 <= now;
}
