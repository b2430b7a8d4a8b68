// Composes the JSON bodies of generic webhooks within their size. webhook-payload.ts has their schemas.
import type { Alert } from '../../alerts/alert.ts';
import { remembered } from '../../alerts/remembered.ts';
import { alertPayload, isoText } from './alert-payload.ts';
import type { AlertPayload } from './alert-payload-schema.ts';
import { alertPayloadV1 } from './alert-payload-v1.ts';
import type { AlertPayloadV1 } from './alert-payload-v1-schema.ts';
import { type BodyLimits, fitBody } from './fit-body.ts';
import type { AlertMessage, Message } from './message.ts';
import type { HoldReason } from './message-kinds.ts';
import { shortenTo } from './shorten-payload.ts';
import { type UntoldFields, untoldFields } from './untold-alerts.ts';
import type { PayloadVersion, WebhookType } from './webhook-types.ts';

/** A message with its facts, as a sender has it. */
export interface TellableMessage {
  deliveryId: string;
  /** Epoch ms; the same on every attempt, like the whole body. */
  dueAt: number;
  message: Message;
  told: readonly { alert: Alert; message: AlertMessage }[];
  heldFor: HoldReason | undefined;
  /** Every alert of the delivery, also those that are no longer news. @default the alerts in `told` */
  alertIds?: Iterable<string> | undefined;
}

/** The parts of an alert's payload that decide where and how it is told. */
type Payload = Pick<AlertPayload | AlertPayloadV1, 'id' | 'role'>;

/** The body of a message. Its last alerts are left out, and its texts cut, where it would be too large. */
export function webhookBody(tellable: TellableMessage, version: PayloadVersion): string {
  const contentWithin = bodyContent(tellable, version);
  const body = fitBody(tellable.told.length, (limits) => JSON.stringify(contentWithin(limits)));
  // Impossible: a shortened alert has some 2 KB.
  if (body === undefined) throw new Error('one alert does not fit into a webhook body');
  return body;
}

/** Makes the content of a message's body within limits. */
function bodyContent(tellable: TellableMessage, version: PayloadVersion) {
  const { message, dueAt, told } = tellable;
  const type = webhookTypeOf(tellable);
  const timestamp = isoText(dueAt);
  if (!isAboutAlerts(message)) {
    const { headline, paragraphs } = message;
    return ({ alertBytes }: BodyLimits) => ({
      ...{ version, type, timestamp },
      data: shortenTo({ headline, paragraphs }, alertBytes),
    });
  }
  const envelope = { version, timestamp, type };
  const payloadOf = version === 1 ? alertPayloadV1 : alertPayload;
  const within = toldWithin(
    told.map(({ alert, message: words }): Payload => payloadOf(alert, words)),
    tellable,
  );
  const held_for = tellable.heldFor ?? null;
  return (limits: BodyLimits) => {
    const { alerts, recovered, untold } = within(limits);
    if (type !== 'alerts.fired') {
      const [alert] = [...alerts, ...recovered];
      return { ...envelope, data: { alert, held_for } };
    }
    const back = recovered.length > 0 ? { recovered } : {};
    return { ...envelope, data: { alerts, ...back, held_for, ...untold } };
  };
}

function isAboutAlerts({ kind }: Message): boolean {
  return kind === 'alert' || kind === 'digest';
}

/**
 * `alert.fired` or `alert.recovered` for one alert, `alerts.fired` for several. A receiver that was written
 * before recoveries existed must not take one for an alert, so they have a type or a list of their own, in
 * both versions.
 */
export function webhookTypeOf({ message, told }: TellableMessage): WebhookType {
  if (!isAboutAlerts(message)) {
    return message.kind === 'test' ? 'channel.test' : 'channel.notice';
  }
  const [only, ...others] = told;
  if (!only || others.length > 0) return 'alerts.fired';
  return isRecovery(only.alert) ? 'alert.recovered' : 'alert.fired';
}

/** What a body tells of its alerts. */
interface ToldWithin<P> {
  alerts: P[];
  recovered: P[];
  untold: UntoldFields;
}

/** Divides the alerts of a message, as far as limits allow. @param payloads of its alerts, in their order. */
export function toldWithin<P extends Payload>(
  payloads: readonly P[],
  { deliveryId, message, alertIds }: Omit<TellableMessage, 'told'>,
): (limits: BodyLimits) => ToldWithin<P> {
  const ids = payloads.map(({ id }) => id);
  const all = alertIds ?? ids;
  const { stopUrl } = message;
  // Shortening hostile names is slow, and the sizes are tried with several numbers of alerts.
  const shortened = remembered((place: number, alertBytes: number) => {
    const payload = payloads[place];
    return payload && shortenTo(payload, alertBytes);
  });
  return ({ alerts, alertBytes }) => {
    const places = [...ids.slice(0, alerts).keys()];
    const fits = places.flatMap((place) => shortened(place, alertBytes) ?? []);
    return {
      alerts: fits.filter((payload) => !isRecovery(payload)),
      recovered: fits.filter(isRecovery),
      untold: untoldFields({ deliveryId, ids: ids.slice(alerts), all, stopUrl }),
    };
  };
}

function isRecovery({ role }: { role: Payload['role'] }): boolean {
  return role === 'recovery';
}
