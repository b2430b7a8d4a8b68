// An alert as JSON, version 1 of the payload: integer cents and basis points, and the direction of the rule's
// series. Kept unchanged for receivers that were written for it.
import { parseSeries } from '#shared/rules/series.ts';
import { unitOf } from '#shared/rules/sources/sources.ts';
import type { Alert } from '../../alerts/alert.ts';
import { beforeAtOf, flagsOf, identityOf, timesOf } from './alert-payload.ts';
import type { AlertPayloadV1 } from './alert-payload-v1-schema.ts';
import { earlierValue } from './happening.ts';
import type { AlertMessage } from './message.ts';

const units = { price: 'cents', count: 'count', rate: 'basis_points' } as const;

/** An alert with its words, as webhooks of version 1 get it. */
export function alertPayloadV1(alert: Alert, message: AlertMessage): AlertPayloadV1 {
  return {
    ...identityOf(alert, message),
    direction: alert.direction,
    role: alert.role,
    unit: units[unitOf(parseSeries(alert.series).base)],
    now: alert.base,
    now_with_fee: alert.withFee,
    before: earlierValue(alert),
    before_at: beforeAtOf(alert),
    level: alert.askedLevel,
    ...flagsOf(alert),
    moves: movesOf(message),
    listings: alert.listings.map(({ zone, section, row, quantity, priceCents }) => ({
      ...{ zone, section, row, quantity },
      price_cents: priceCents,
    })),
    ...timesOf(alert, message),
  };
}

function movesOf({ moves }: AlertMessage): AlertPayloadV1['moves'] {
  if (moves === undefined) return null;
  const { times, lowest, highest, last } = moves;
  return { times, lowest, highest, last };
}
