// An alert of the list: when, the price, the event, what became of it; and on request everything about it.
import { useSignal } from '@preact/signals';
import type { ListedAlert, ListedChannel } from '../../api/calls.ts';
import { Link } from '../../parts/link.tsx';
import { coarseNow } from '../../state/clock.ts';
import { zone } from '../../state/status.ts';
import { clockText, tellTimesAt, venueDate, venueTime, wholeTime } from '../../words/times.ts';
import { AlertDetail } from './alert-detail.tsx';
import { notesOf, outcomeOf } from './alert-words.ts';

interface AlertRowProps {
  alert: ListedAlert;
  channels: readonly ListedChannel[];
}

export function AlertRow({ alert, channels }: AlertRowProps) {
  const isOpen = useSignal(false);
  const firedAt = Date.parse(alert.fired_at);
  const clock = tellTimesAt(coarseNow.value, zone.value);
  const { look, text, why } = outcomeOf(alert, clock);
  const notes = notesOf(alert);
  return (
    <li class="alert">
      <time class="muted" dateTime={alert.fired_at} title={wholeTime(firedAt, zone.value)}>
        {clockText(firedAt, zone.value)}
      </time>
      <div class="what">
        <Change alert={alert} />{' '}
        <Link class="name" to={`/events/${alert.event_id}`}>
          {alert.event_name}
        </Link>
        <div class="small muted">
          {alert.sentence} · {whenOf(alert, coarseNow.value)}
        </div>
        {notes.length > 0 && <div class="small wait-text">{notes.join(' · ')}</div>}
      </div>
      <div class="how">
        <span class={`state ${look}`}>{text}</span>
        {why !== '' && <div class="small muted">{why}</div>}
      </div>
      <button
        type="button"
        class="plain"
        aria-expanded={isOpen.value}
        aria-label={`Why, and who got it: ${alert.headline}`}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        Why
      </button>
      {isOpen.value && <AlertDetail alert={alert} channels={channels} />}
    </li>
  );
}

/** A falling price is good for a buyer, so it is green. */
function Change({ alert: { value, previous_value: before, direction } }: { alert: ListedAlert }) {
  return (
    <>
      <b class="price">{value}</b>
      {direction && (
        <span class={`small ${direction === 'down' ? 'fall' : 'rise'}`}>
          {direction === 'down' ? ' ▼' : ' ▲'}
          {before && ` from ${before}`}
        </span>
      )}
    </>
  );
}

function whenOf({ event_date, event_time, venue_name }: ListedAlert, now: number): string {
  const when = [
    ...(event_date ? [venueDate(event_date, now)] : []),
    ...(event_time ? [venueTime(event_time)] : []),
  ].join(', ');
  return [when, venue_name].filter(Boolean).join(' · ') || 'no date yet';
}
