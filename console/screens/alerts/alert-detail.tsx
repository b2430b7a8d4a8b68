// Everything about one alert: each channel's messages with their attempts, and what the rule saw.
import {
  type AlertWithDecisions,
  type ListedAlert,
  type ListedChannel,
  type ListedDelivery,
  listDeliveries,
  readAlert,
} from '../../api/calls.ts';
import { readAll } from '../../api/read-all.ts';
import { send } from '../../api/send.ts';
import { Failed, Waiting } from '../../parts/states.tsx';
import { useLive } from '../../state/live.ts';
import { reasonWords } from '../../words/reasons.ts';
import { channelName } from '../channels/channel-words.ts';
import { DeliveryLog } from './delivery-log.tsx';
import { WhatItSaw } from './what-it-saw.tsx';

interface AlertDetailProps {
  alert: ListedAlert;
  channels: readonly ListedChannel[];
}

async function readDetail(id: string, signal: AbortSignal) {
  const [alert, deliveries] = await Promise.all([
    send(readAlert, { path: { id }, signal }),
    readAll(listDeliveries, { query: { alert_id: id }, signal }),
  ]);
  return { alert, deliveries };
}

export function AlertDetail({ alert, channels }: AlertDetailProps) {
  const { data, error } = useLive((signal) => readDetail(alert.id, signal), [alert.id]);
  if (!data.value) {
    return (
      <div class="detail">
        {error.value ? <Failed error={error.value} /> : <Waiting what="this alert" />}
      </div>
    );
  }
  const { deliveries } = data.value;
  const unsent = unsentOf(data.value.alert, deliveries);
  const nameOf = (id: string | null) => {
    const channel = channels.find((each) => each.id === id);
    return channel ? channelName(channel) : 'A deleted channel';
  };
  return (
    <div class="detail">
      <section>
        <h3>Who got it</h3>
        {deliveries.map((delivery) => (
          <DeliveryLog
            key={delivery.id}
            delivery={delivery}
            alertId={alert.id}
            name={nameOf(delivery.channel_id)}
          />
        ))}
        {unsent.map(({ channel_id: id, reason }) => (
          <p key={id}>
            <b>{id === null ? 'No channel' : nameOf(id)}</b>: not sent
            {reason && `, ${reasonWords(reason)}`}
          </p>
        ))}
        {deliveries.length + unsent.length === 0 && (
          <p class="muted">
            {alert.reason
              ? `Nobody: ${reasonWords(alert.reason)}.`
              : 'The messages are being made.'}
          </p>
        )}
      </section>
      <WhatItSaw alert={alert} />
    </div>
  );
}

/** The decisions that no message came of. */
function unsentOf({ decisions }: AlertWithDecisions, deliveries: readonly ListedDelivery[]) {
  const sent = new Set(deliveries.map(({ channel_id }) => channel_id));
  return decisions.filter(
    ({ decision, channel_id: id }) => decision === 'unsent' && (id === null || !sent.has(id)),
  );
}
