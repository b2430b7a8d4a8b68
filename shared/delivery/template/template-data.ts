// The data that a body template is filled with: the fields of payload version 2, and those that make a short
// template possible.
import { alertPayload, isoText } from '../message/alert-payload.ts';
import type { AlertPayload } from '../message/alert-payload-schema.ts';
import type { BodyLimits } from '../message/fit-body.ts';
import type { AlertMessage } from '../message/message.ts';
import { shortenTo } from '../message/shorten-payload.ts';
import { type TellableMessage, toldWithin, webhookTypeOf } from '../message/webhook-body.ts';
import type { WebhookType } from '../message/webhook-types.ts';
import type { AlertName, TemplateData } from './template-data-schema.ts';

/** The fields of the only alert, in a message that has none or several. */
const noAlert: Record<AlertName, null> = {
  id: null,
  watch_id: null,
  rule_id: null,
  event_id: null,
  event_name: null,
  event_date: null,
  event_time: null,
  venue_name: null,
  venue_city: null,
  sentence: null,
  series: null,
  direction: null,
  role: null,
  unit: null,
  now: null,
  now_with_fee: null,
  before: null,
  before_at: null,
  level: null,
  covered_hours: null,
  is_from_none: null,
  already_true: null,
  urgent: null,
  lone_listing: null,
  may_repeat: null,
  moves: null,
  observed_at: null,
  fired_at: null,
  watch_url: null,
  tickets_url: null,
  chart_url: null,
  truncated: null,
  value: null,
  level_text: null,
};

/** Makes the data of a message within limits. */
export function templateData(tellable: TellableMessage): (limits: BodyLimits) => TemplateData {
  const { message, told, deliveryId, dueAt, heldFor } = tellable;
  const type = webhookTypeOf(tellable);
  const { headline, paragraphs } = message;
  const within = toldWithin(
    told.map(({ alert, message: words }) => ({ ...alertPayload(alert, words), ...wordsOf(words) })),
    tellable,
  );
  return (limits) => {
    const { alerts, recovered, untold } = within(limits);
    const [only] = told.length === 1 ? [...alerts, ...recovered] : [];
    const shown = shortenTo({ headline, paragraphs }, limits.alertBytes);
    return {
      ...noAlert,
      ...(only && rowOf(only)),
      ...{ type, timestamp: isoText(dueAt), delivery_id: deliveryId },
      ...{ headline: shown.headline, push: message.push, paragraphs: shown.paragraphs },
      held_for: heldFor ?? null,
      ...flagsOf(type),
      count: told.length,
      alerts: placed(alerts.map(rowOf)),
      recovered: placed(recovered.map(rowOf)),
      ...{ more: untold.more, more_ids: untold.more_ids ?? [], more_url: untold.more_url ?? null },
      listings: placed(only?.listings ?? []),
    };
  };
}

function wordsOf({ value, level, push }: AlertMessage) {
  return { value, level_text: level ?? null, push };
}

function flagsOf(type: WebhookType) {
  return {
    is_alert: type === 'alert.fired',
    is_recovery: type === 'alert.recovered',
    is_several: type === 'alerts.fired',
    is_test: type === 'channel.test',
    is_notice: type === 'channel.notice',
  };
}

function rowOf<Told extends AlertPayload>(told: Told) {
  const { listings, truncated = false, ...others } = told;
  return { ...others, listings: placed(listings), truncated };
}

/** Says of each row whether it is the first or the last. */
function placed<Row extends object>(rows: readonly Row[]) {
  return rows.map((row, place) => ({
    ...row,
    is_first: place === 0,
    is_last: place === rows.length - 1,
  }));
}
