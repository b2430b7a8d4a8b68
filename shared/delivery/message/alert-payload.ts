// An alert as JSON, version 2 of the payload, for webhooks and the API: amounts in dollars, as in the
// marketplace. Also has the parts that both versions share. webhook-payload.ts has the bodies around it.
import * as z from 'zod';
import { inToldUnit, toldUnits } from '#shared/rules/metric.ts';
import { parseSeries } from '#shared/rules/series.ts';
import { unitOf } from '#shared/rules/sources/sources.ts';
import { firingRoles } from '#shared/rules/transitions.ts';
import type { Alert } from '../../alerts/alert.ts';
import { remembered } from '../../alerts/remembered.ts';
import { earlierValue } from './happening.ts';
import type { AlertMessage } from './message.ts';

/** The fields before the numbers, in both versions. */
export const identityFields = {
  id: z.string().meta({ description: 'The same in every message about this alert' }),
  watch_id: z.string(),
  rule_id: z.string(),
  event_id: z.int(),
  event_name: z.string(),
  event_date: z.string().nullable(),
  event_time: z.string().nullable(),
  venue_name: z.string().nullable(),
  venue_city: z.string().nullable(),
  headline: z.string().meta({ description: 'What happened, as a sentence' }),
  sentence: z.string().meta({ description: 'The rule as a sentence' }),
  series: z.string(),
};

export const roleField = {
  role: z.enum(firingRoles).meta({
    description:
      'main: the rule was reached. further: a further step (`repeat_every_further_percent`). no_data: the number is missing (`on_no_data`). recovery: the number went back after an alert (`tell_recovery`).',
  }),
};

export const beforeAtField = {
  before_at: z.iso.datetime().nullable().meta({
    description:
      'When the market had the value `before`; null if `before` is not the value of one moment',
  }),
};

export const flagFields = {
  is_from_none: z.boolean(),
  already_true: z.boolean(),
  urgent: z.boolean(),
};

export const movesField = {
  moves: z
    .object({ times: z.int(), lowest: z.number(), highest: z.number(), last: z.number() })
    .nullable()
    .meta({
      description:
        'The successive values, if the number changed several times before the message was sent; in `unit`',
    }),
};

export const seatFields = {
  zone: z.string(),
  section: z.string(),
  row: z.string(),
  quantity: z.int(),
};

export const timeFields = {
  observed_at: z.iso.datetime(),
  fired_at: z.iso.datetime(),
  watch_url: z.string().nullable(),
};

export const truncatedField = {
  truncated: z.boolean().optional().meta({
    description:
      'true if names, texts or lists were shortened, because the body would have been over 20 KB, else absent; ids, numbers and times are whole',
  }),
};

export const alertPayloadSchema = z
  .object({
    ...identityFields,
    direction: z.enum(['down', 'up']).nullable().meta({
      description:
        'Where the number went from `before` to `now`; null if one of them is unknown, or they are equal',
    }),
    ...roleField,
    unit: z.enum(['dollars', 'count', 'percent']).meta({
      description: 'The unit of now, now_with_fee, before, level and moves',
    }),
    now: z.number().nullable().meta({
      description: 'The number that the rule watches; null if there is none any more',
    }),
    now_with_fee: z.number().nullable().meta({
      description: 'The price with the rule’s fee; without a fee, the same as `now`',
    }),
    before: z.number().nullable().meta({
      description:
        'The baseline of a change; for other rules, the value of the snapshot before; for a recovery, the value of its alert',
    }),
    ...beforeAtField,
    level: z.number().nullable().meta({
      description: 'The level as the rule has it, fee included; null for a rule about a change',
    }),
    covered_hours: z.number().nullable().meta({
      description:
        'How far back the known values in the rule’s window reached, in hours; null without a window',
    }),
    ...flagFields,
    lone_listing: z.boolean().meta({
      description: 'The price is that of one listing far under the rest; it may be mis-keyed',
    }),
    may_repeat: z.boolean().meta({
      description:
        'An alert about the same may have been sent before, because the service was restored from a backup',
    }),
    ...movesField,
    listings: z.array(
      z.object({ ...seatFields, price: z.number().meta({ description: 'In dollars' }) }),
    ),
    ...timeFields,
    tickets_url: z.string().nullable().meta({
      description: 'Where the tickets are sold; null if the deployment has no shop for the event',
    }),
    chart_url: z.string().nullable().meta({
      description: 'A picture of the price as PNG; null while there are too few values',
    }),
    ...truncatedField,
  })
  .meta({ id: 'AlertPayload' });

export type AlertPayload = z.infer<typeof alertPayloadSchema>;

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
