// How an alert is stored.
import { any, anyOf, boolean, item, list, map, nul, number, string } from 'dynamodb-toolbox/schema';
import { type Alert, ruleLimits } from '#shared/alerts/alert.ts';
import type { Chart } from '#shared/charts/chart.ts';
import type { ListingMatch } from '#shared/rules/listings-snapshot.ts';
import { firingRoles } from '#shared/rules/transitions.ts';
import { storedAs } from './stored-as.ts';

export const alertSchema = storedAs<Alert>()(
  item({
    alertId: string().key(),
    ownerId: string(),
    watchId: string(),
    watchName: string().optional(),
    watchTags: list(string()).optional(),
    ruleId: string(),
    triggerId: string(),
    eventId: number(),
    eventName: string(),
    eventDate: string().optional(),
    eventTime: string().optional(),
    venueName: string().optional(),
    venueCity: string().optional(),
    tmEventId: string().optional(),
    series: string(),
    direction: string().enum('down', 'up'),
    role: string().enum(...firingRoles),
    sentence: string(),
    value: number(),
    level: number(),
    askedLevel: anyOf(number(), nul()),
    base: number(),
    baseline: anyOf(number(), nul()),
    previousBase: anyOf(number(), nul()),
    earlierAt: number().optional(),
    coveredMs: number().optional(),
    loneListing: map({ confirmations: number() }).optional(),
    isFromNone: boolean(),
    feeBps: number(),
    withFee: number(),
    listings: list(any().castAs<ListingMatch>()),
    chart: any().castAs<Chart>().optional(),
    mayRepeatSince: number().optional(),
    promisedFrom: number().optional(),
    alreadyTrue: boolean(),
    isUrgent: boolean(),
    channelIds: list(string()),
    observedAt: number(),
    firedAt: number(),
    unsentReason: string()
      .enum(...ruleLimits)
      .optional(),
    expiresAtEpochSeconds: number().optional(),
  }),
);
