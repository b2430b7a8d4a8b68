// One event: its prices over time, its zones, and what the owner watches there.
import {
  type EventDetail,
  listAlerts,
  listWatches,
  readEvent,
  readZones,
} from '../../api/calls.ts';
import { RefusedError } from '../../api/errors.ts';
import { send } from '../../api/send.ts';
import { useSeries } from '../../parts/chart/use-series.ts';
import { isEventId, whenAndWhere } from '../../parts/event-words.tsx';
import { Link } from '../../parts/link.tsx';
import { Failed, Waiting } from '../../parts/states.tsx';
import { filter, place } from '../../router.ts';
import { coarseNow } from '../../state/clock.ts';
import { useLive } from '../../state/live.ts';
import { canWrite } from '../../state/session.ts';
import { zone as timeZone } from '../../state/status.ts';
import { clockText, dateIn, venueTime } from '../../words/times.ts';
import { NotFound } from '../not-found.tsx';
import { chosenRange } from './chart-ranges.ts';
import { Facts } from './facts.tsx';
import { HappenedCard } from './happened-card.tsx';
import { PricesCard } from './prices-card.tsx';
import { RulesCard } from './rules-card.tsx';
import { ZonesTable } from './zones-table.tsx';

/** More watches on one event than this are on the board. */
const mostWatches = 100;
const mostAlerts = 50;

async function readAll(id: string, signal: AbortSignal) {
  const path = { event_id: id };
  const [event, zones, watches, alerts] = await Promise.all([
    send(readEvent, { path, signal }),
    send(readZones, { path, signal }),
    send(listWatches, {
      query: { event_id: id, include: 'standing', sort: 'closeness', limit: mostWatches },
      signal,
    }),
    send(listAlerts, {
      query: { event_id: id, include: 'outcome', limit: mostAlerts },
      signal,
    }),
  ]);
  return { event, zones, watches: watches.data, alerts: alerts.data };
}

export function EventScreen({ id }: { id: string }) {
  return isEventId(id) ? <OfEvent id={id} /> : <NotFound />;
}

function OfEvent({ id }: { id: string }) {
  const { data, error } = useLive((signal) => readAll(id, signal), [id]);
  const range = chosenRange();
  const asked = place.value.query.get('zone');
  const names = data.value?.zones.zones.flatMap(({ zone }) => zone ?? []);
  // The prices are asked for together with the rest, before it is known whether the event has such a zone.
  const zone = asked && names?.includes(asked) !== false ? asked : null;
  const prices = useSeries(id, {
    ...{ span: range.value, metric: 'get_in', zone, hasLooks: range.days <= 3 },
  });
  const isUnknown = error.value instanceof RefusedError && error.value.status === 404;
  if (!data.value && isUnknown) return <Unknown id={id} />;
  if (!data.value) {
    return error.value ? <Failed error={error.value} /> : <Waiting what="the event" />;
  }
  return <Shown {...data.value} {...{ zone, prices, range }} />;
}

/** An event that nobody has watched yet. */
function Unknown({ id }: { id: string }) {
  return (
    <div class="card blank">
      <h1>Nothing is known of this event yet</h1>
      <p class="muted">Its prices come when somebody watches it.</p>
      {canWrite.value && (
        <Link to={`/watches/new?event=${id}`} class="button primary">
          Watch it
        </Link>
      )}
    </div>
  );
}

type ShownProps = Awaited<ReturnType<typeof readAll>> &
  Pick<Parameters<typeof PricesCard>[0], 'zone' | 'prices' | 'range'>;

function Shown({ event, zones, watches, alerts, zone, prices, range }: ShownProps) {
  const position = zones.zones.find((each) => each.zone === zone);
  const choose = (next: string | null) => filter({ zone: next ?? '' });
  return (
    <>
      <Heading event={event} />
      <Facts event={event} position={position} zone={zone} />
      <div class="grid">
        <div class="stack">
          <PricesCard {...{ event, zone, watches, alerts, prices, range }} />
          {zones.zones.length > 1 && (
            <ZonesTable zones={zones.zones} chosen={zone} onChoose={choose} />
          )}
        </div>
        <aside class="stack" aria-label="What you watch here">
          <RulesCard watches={watches} eventId={event.event_id} zone={zone} />
          <HappenedCard alerts={alerts} watches={watches} />
        </aside>
      </div>
    </>
  );
}

function Heading({ event }: { event: EventDetail }) {
  const { event_id: id, event_name: name } = event;
  return (
    <>
      <p class="small muted crumbs">
        <Link to="/board">Board</Link> / {name ?? id}
      </p>
      <h1>{name ?? `Event ${id}`}</h1>
      <p class="muted">
        {whenAndWhere(event, coarseNow.value, timeZone.value)}
        <OwnTime event={event} />
      </p>
    </>
  );
}

/** The start in the owner's zone, where the clocks there show another time. */
function OwnTime({ event }: { event: EventDetail }) {
  const { starts_at: startsAt, event_date: date, event_time: time } = event;
  if (!startsAt || !time) return null;
  const at = Date.parse(startsAt);
  const zone = timeZone.value;
  if (clockText(at, zone) === time.slice(0, 5) && dateIn(at, zone) === date) return null;
  return <> · {venueTime(clockText(at, zone))} your time</>;
}
