// The first step to a watch: find the event.
import { signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type FoundEventJson, searchEvents } from '../../api/calls.ts';
import { send } from '../../api/send.ts';
import { EventWords } from '../../parts/event-words.tsx';
import { Link } from '../../parts/link.tsx';
import { Failed, Waiting } from '../../parts/states.tsx';
import { filter, place } from '../../router.ts';
import { usePages } from '../../state/pages.ts';
import { dollars, plural } from '../../words/amounts.ts';

/** The event that was chosen last, for a page about an event of which nothing is stored yet. */
export const chosenEvent = signal<FoundEventJson | undefined>(undefined);

export function FindEvent() {
  const { query } = place.value;
  const asked = {
    query: query.get('q') ?? '',
    from: query.get('from') ?? '',
    to: query.get('to') ?? '',
  };
  const isAsked = Object.values(asked).some((each) => each !== '');
  return (
    <>
      <h1>New watch</h1>
      <p class="muted lead">Which event?</p>
      <SearchForm asked={asked} />
      {isAsked && <Found key={JSON.stringify(asked)} asked={asked} />}
    </>
  );
}

interface Asked {
  query: string;
  from: string;
  to: string;
}

function SearchForm({ asked }: { asked: Asked }) {
  const words = useSignal(asked.query);
  const field = useRef<HTMLInputElement>(null);
  // This page has one thing to do first.
  useEffect(() => field.current?.focus(), []);
  const from = useSignal(asked.from);
  const to = useSignal(asked.to);
  function search(event: Event): void {
    event.preventDefault();
    filter({ q: words.value.trim(), from: from.value, to: to.value });
  }
  const put =
    (field: { value: string }) =>
    ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      field.value = currentTarget.value;
    };
  return (
    <form class="find" onSubmit={search}>
      <label class="words">
        <span>Team, artist, venue, city or date</span>
        <input ref={field} type="search" value={words.value} onInput={put(words)} />
      </label>
      <label>
        <span>From</span>
        <input type="date" value={from.value} onInput={put(from)} />
      </label>
      <label>
        <span>To</span>
        <input type="date" value={to.value} onInput={put(to)} />
      </label>
      <button type="submit" class="primary">
        Search
      </button>
    </form>
  );
}

function Found({ asked }: { asked: Asked }) {
  const { rows, error, isMore, readMore } = usePages((after, signal) =>
    send(searchEvents, { query: { ...asked, limit: 20, starting_after: after }, signal }),
  );
  if (error.value) return <Failed error={error.value} retry={readMore} />;
  if (!rows.value) return <Waiting what="events" />;
  if (rows.value.length === 0) {
    return (
      <div class="card blank">
        <h2>No event has all of these words</h2>
        <p class="muted">
          Each word is the beginning of a name, a venue, a city or a date, such as “knicks dec 2”.
          Try fewer words, or no dates.
        </p>
      </div>
    );
  }
  return (
    <div class="card found">
      <p class="unseen" role="status">
        {plural(rows.value.length, 'event')} found
      </p>
      <table>
        <thead>
          <tr>
            <th>Event</th>
            <th class="num">Get-in now</th>
            <th>
              <span class="unseen">Choose</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.value.map((event) => (
            <FoundRow key={event.event_id} event={event} />
          ))}
        </tbody>
      </table>
      {isMore.value && (
        <div class="bar">
          <button type="button" onClick={readMore}>
            Show more
          </button>
        </div>
      )}
    </div>
  );
}

function FoundRow({ event }: { event: FoundEventJson }) {
  return (
    <tr>
      <td>
        <EventWords event={event} />
      </td>
      <td class="num price">
        {event.get_in === null ? <span class="faint">not watched yet</span> : dollars(event.get_in)}
      </td>
      <td class="num">
        <Link
          to={`/watches/new?event=${event.event_id}`}
          class="button"
          aria-label={`Watch ${event.event_name}, ${event.event_date}`}
          onFollow={() => {
            chosenEvent.value = event;
          }}
        >
          Watch
        </Link>
      </td>
    </tr>
  );
}
