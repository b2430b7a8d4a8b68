// The types and the versions of a generic webhook's bodies.
import * as z from 'zod';

export const webhookTypes = [
  'alert.fired',
  'alert.recovered',
  'alerts.fired',
  'channel.test',
  'channel.notice',
] as const;
export type WebhookType = (typeof webhookTypes)[number];

/** 1: amounts in cents and basis points. 2: amounts in dollars and percent. */
export const payloadVersions = [1, 2] as const;
export type PayloadVersion = (typeof payloadVersions)[number];

export const payloadVersionSchema = z.union([z.literal(1), z.literal(2)], {
  error: 'must be 1 or 2',
});

export const payloadVersionWords =
  'The version of a webhook’s bodies. 1: amounts in cents and basis points, `direction` is that of the series. 2: amounts in dollars and percent, `direction` is what the number did. New channels get 2; channels made before version 2 existed stay at 1 until they are changed.';
