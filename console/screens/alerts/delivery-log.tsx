// One message to one channel: what became of it, each attempt, and sending it again.
import { type ListedDelivery, replayDelivery } from '../../api/calls.ts';
import { send } from '../../api/send.ts';
import { At } from '../../parts/time.tsx';
import { attempt, told } from '../../parts/toasts.tsx';
import { coarseNow } from '../../state/clock.ts';
import { canWrite } from '../../state/session.ts';
import { zone } from '../../state/status.ts';
import { count } from '../../words/amounts.ts';
import { reasonWords } from '../../words/reasons.ts';
import { tellTimesAt } from '../../words/times.ts';
import { canReplay, deliveryWords } from './alert-words.ts';

interface DeliveryLogProps {
  delivery: ListedDelivery;
  alertId: string;
  /** What the owner calls the channel. */
  name: string;
}

export function DeliveryLog({ delivery, alertId, name }: DeliveryLogProps) {
  const clock = tellTimesAt(coarseNow.value, zone.value);
  const { id, attempts, alert_ids: alerts, fallback_for: instead } = delivery;
  const replay = () =>
    attempt(async () => {
      await send(replayDelivery, { path: { id } });
      told(`The message to ${name} is sent again`);
    });
  return (
    <div class="delivery">
      <div class="row">
        <span>
          <b>{name}</b>
          {instead && <span class="muted">, in place of another channel</span>}:{' '}
          {deliveryWords(delivery, alertId, clock)}
          {alerts.length > 1 && <span class="muted"> With {alerts.length - 1} other alerts.</span>}
        </span>
        {canWrite.value && canReplay(delivery) && (
          <button type="button" onClick={() => void replay()}>
            Send it again
          </button>
        )}
      </div>
      {attempts.length > 0 && (
        <ol class="attempts small muted">
          {attempts.map(({ at, outcome, reason, http_status, response_excerpt, duration_ms }) => (
            <li key={at}>
              <At time={at} /> {outcome.replaceAll('_', ' ')}
              {reason && `: ${reasonWords(reason)}`}
              {http_status !== null && !reason?.startsWith('http_') && `, HTTP ${http_status}`},
              after {count(duration_ms)} ms
              {response_excerpt && <code>{response_excerpt}</code>}
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
