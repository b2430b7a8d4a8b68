// An alert as JSON, version 2 of the payload, for webhooks and the API: amounts in dollars, as in the
// marketplace. Also has the parts that both versions share. webhook-body.ts composes the bodies around it.
import { inToldUnit, toldUnits } from '#shared/rules/metric.ts';
import { parseSeries } from '#shared/rules/series.ts';
import { unitOf } from '#shared/rules/sources/sources.ts';
import type { Alert } from '../../alerts/alert.ts';
import { remembered } from '../../alerts/remembered.ts';
import type { AlertPayload } from './alert-payload-schema.ts';
import { earlierValue } from './happening.ts';
import type { AlertMessage } from './message.ts';

/** An alert with its words, as webhooks of version 2 and the API have it. */
export function alertPayload(alert: Alert, message: AlertMessage): AlertPayload {
  const { base } = parseSeries(alert.series);
  const unit = unitOf(base);
  const inUnit = (value: number) => inToldUnit(unit, value);
  const orNull = (value: number | null) => (value === null ? null : inUnit(value));
  // Whether a zone has anything for sale is no number.
  const hasNumber = alert.role !== 'no_data' && base.kind !== 'presence';
  const { moves } = message;
  return {
    ...identityOf(alert, message),
    direction: wayOf(alert),
    role: alert.role,
    unit: toldUnits[unit],
    now: hasNumber ? inUnit(alert.base) : null,
    now_with_fee: hasNumber ? inUnit(alert.withFee) : null,
    before: base.kind === 'presence' ? null : orNull(earlierValue(alert)),
    before_at: beforeAtOf(alert),
    level: orNull(alert.askedLevel),
    covered_hours: hoursOf(alert.coveredMs),
    ...flagsOf(alert),
    lone_listing: alert.loneListing !== undefined,
    may_repeat: alert.mayRepeatSince !== undefined,
    moves: moves
      ? {
          times: moves.times,
          lowest: inUnit(moves.lowest),
          highest: inUnit(moves.highest),
          last: inUnit(moves.last),
        }
      : null,
    listings: alert.listings.map(({ zone, section, row, quantity, priceCents }) => ({
      ...{ zone, section, row, quantity },
      price: priceCents / 100,
    })),
    ...timesOf(alert, message),
    tickets_url: message.links.find(({ kind }) => kind === 'tickets')?.url ?? null,
    chart_url: message.chart?.url ?? null,
  };
}

/** Where the number went; a change series rises when its price falls, so its own direction is not used. */
function wayOf(alert: Alert): AlertPayload['direction'] {
  if (parseSeries(alert.series).base.kind === 'presence') return alert.direction;
  const earlier = earlierValue(alert);
  if (alert.role === 'no_data' || earlier === null || earlier === alert.base) return null;
  return alert.base < earlier ? 'down' : 'up';
}

function hoursOf(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.round(ms / 36_000) / 100;
}

export function identityOf(alert: Alert, message: AlertMessage) {
  return {
    id: alert.alertId,
    watch_id: alert.watchId,
    rule_id: alert.ruleId,
    event_id: alert.eventId,
    event_name: message.event.name,
    event_date: alert.eventDate ?? null,
    event_time: alert.eventTime ?? null,
    venue_name: alert.venueName ?? null,
    venue_city: alert.venueCity ?? null,
    headline: message.headline,
    sentence: message.sentence,
    series: alert.series,
  };
}

export function beforeAtOf({ earlierAt }: Alert): string | null {
  return earlierAt === undefined ? null : isoText(earlierAt);
}

export function flagsOf({ isFromNone, alreadyTrue, isUrgent }: Alert) {
  return { is_from_none: isFromNone, already_true: alreadyTrue, urgent: isUrgent };
}

export function timesOf({ observedAt, firedAt }: Alert, { pageUrl }: AlertMessage) {
  return {
    observed_at: isoText(observedAt),
    fired_at: isoText(firedAt),
    watch_url: pageUrl ?? null,
  };
}

/** Formats a moment (epoch ms), with a cache, because the alerts of one snapshot share their time. */
export const isoText = remembered((at: number) => new Date(at).toISOString());
