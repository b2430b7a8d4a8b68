// The alerts by day: what was sent, what is held and until when, what was not sent and why.
import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import {
  type ListedAlert,
  type ListedChannel,
  type ListPage,
  listAlerts,
  listChannels,
} from '../../api/calls.ts';
import { readAll } from '../../api/read-all.ts';
import { send } from '../../api/send.ts';
import { Card } from '../../parts/card.tsx';
import { Failed, Waiting } from '../../parts/states.tsx';
import { failed } from '../../parts/toasts.tsx';
import { filter, place } from '../../router.ts';
import { coarseNow } from '../../state/clock.ts';
import { useLive } from '../../state/live.ts';
import { zone } from '../../state/status.ts';
import { plural } from '../../words/amounts.ts';
import { AlertFilters } from './alert-filters.tsx';
import { AlertRow } from './alert-row.tsx';
import { alertQuery } from './alert-subjects.ts';
import { byDay, dayTitle, mergeAlerts } from './alert-words.ts';

const pageSize = 50;
/** A page with a filter may find nothing and still not be the end; so many are read before a person decides. */
const mostEmptyPages = 5;
const channelsEveryMs = 300_000;

type AlertQuery = ReturnType<typeof alertQuery>;

function readPage(query: AlertQuery, after: string | undefined, signal?: AbortSignal) {
  const whole = { ...query, include: 'outcome', limit: pageSize, starting_after: after };
  return send(listAlerts, { query: whole, ...(signal && { signal }) });
}

export function Alerts() {
  const query = alertQuery(place.value.query);
  const channels = useLive((signal) => readAll(listChannels, { signal }), [], channelsEveryMs);
  const eventName = useSignal<string | undefined>(undefined);
  return (
    <>
      <div class="title">
        <h1>Alerts</h1>
      </div>
      <AlertFilters eventName={eventName.value} />
      <AlertList
        key={JSON.stringify(query)}
        query={query}
        channels={channels.data.value ?? []}
        eventName={eventName}
      />
    </>
  );
}

interface AlertListProps {
  query: AlertQuery;
  channels: readonly ListedChannel[];
  /** The name of the event that is chosen, once an alert tells it. */
  eventName: Signal<string | undefined>;
}

function AlertList({ query, channels, eventName }: AlertListProps) {
  const { data, error } = useLive((signal) => readPage(query, undefined, signal), []);
  /** What was seen of it so far: new alerts move the others out of the first page. */
  const seen = useSignal<readonly ListedAlert[]>([]);
  /** Where the list goes on; undefined before anything older was read. */
  const older = useSignal<string | null | undefined>(undefined);
  const page = data.value;
  useEffect(() => {
    if (page) seen.value = mergeAlerts(seen.value, page.data);
  }, [page]);
  const alerts = mergeAlerts(seen.value, page?.data ?? []);
  const name = query.event_id === undefined ? undefined : alerts[0]?.event_name;
  useEffect(() => {
    eventName.value = name;
  }, [name]);
  const next = older.value === undefined ? (page?.next_cursor ?? null) : older.value;
  return (
    <>
      {page ? (
        <Days alerts={alerts} channels={channels} />
      ) : error.value ? (
        <Failed error={error.value} />
      ) : (
        <Waiting what="your alerts" />
      )}
      {page && <Damaged page={page} />}
      {page && alerts.length === 0 && next === null && <NoAlert isFiltered={hasFilter(query)} />}
      {page && next !== null && (
        <Older
          query={query}
          next={next}
          onRead={(rows, after) => {
            seen.value = mergeAlerts(rows, seen.value);
            older.value = after;
          }}
        />
      )}
    </>
  );
}

function Days({
  alerts,
  channels,
}: {
  alerts: readonly ListedAlert[];
  channels: readonly ListedChannel[];
}) {
  return (
    <>
      {byDay(alerts, zone.value).map(({ date, alerts: ofDay }) => (
        <Card
          key={date}
          title={dayTitle(date, coarseNow.value, zone.value)}
          class="day-of-alerts"
          also={<span class="small muted">{plural(ofDay.length, 'alert')}</span>}
        >
          <ul class="plain-list">
            {ofDay.map((alert) => (
              <AlertRow key={alert.id} alert={alert} channels={channels} />
            ))}
          </ul>
        </Card>
      ))}
    </>
  );
}

interface OlderProps {
  query: AlertQuery;
  next: string;
  onRead: (rows: readonly ListedAlert[], next: string | null) => void;
}

function Older({ query, next, onRead }: OlderProps) {
  const isBusy = useSignal(false);
  async function read(): Promise<void> {
    isBusy.value = true;
    try {
      let after: string | null = next;
      let rows: readonly ListedAlert[] = [];
      for (
        let pages = 0;
        pages < mostEmptyPages && rows.length === 0 && after !== null;
        pages += 1
      ) {
        const page: ListPage<ListedAlert> = await readPage(query, after);
        rows = page.data;
        after = page.next_cursor;
      }
      onRead(rows, after);
    } catch (error) {
      failed(error);
    } finally {
      isBusy.value = false;
    }
  }
  return (
    <button type="button" disabled={isBusy.value} onClick={() => void read()}>
      {isBusy.value ? 'Looking …' : 'Look further back'}
    </button>
  );
}

/** Alerts whose stored items can't be read are named, so that none is missing without a word. */
function Damaged({ page: { damaged = [] } }: { page: { damaged?: readonly { id: string }[] } }) {
  if (damaged.length === 0) return null;
  return (
    <p class="small alarm-text">
      {plural(damaged.length, 'alert')} can’t be shown, because what is stored of it is damaged:{' '}
      {damaged.map(({ id }) => id).join(', ')}
    </p>
  );
}

function hasFilter(query: AlertQuery): boolean {
  return Object.values(query).some((value) => value !== undefined);
}

function NoAlert({ isFiltered }: { isFiltered: boolean }) {
  return (
    <div class="card blank">
      <h2>{isFiltered ? 'No alert fits' : 'No alert yet'}</h2>
      <p class="muted">
        {isFiltered
          ? 'Alerts are kept for 400 days, unless the operator has set another time.'
          : 'When a price reaches one of your levels, it appears here and on your channels.'}
      </p>
      {isFiltered && (
        <button type="button" onClick={() => filter({ event: '', watch: '', tag: '', state: '' })}>
          Show all
        </button>
      )}
    </div>
  );
}
