// Which alerts are shown: what became of them, and which event, watch or tag they are about.
import { useSignal } from '@preact/signals';
import { useId, useRef } from 'preact/hooks';
import { listWatches } from '../../api/calls.ts';
import { readAll } from '../../api/read-all.ts';
import { failed } from '../../parts/toasts.tsx';
import { useWatchNames } from '../../parts/watch-names.tsx';
import { filter, place } from '../../router.ts';
import { type Subject, subjectsOf } from './alert-subjects.ts';

const states = [
  { state: '', label: 'All' },
  { state: 'sent', label: 'Sent' },
  { state: 'waiting', label: 'Waiting' },
  { state: 'unsent', label: 'Not sent' },
  { state: 'failed', label: 'Failed' },
] as const;

const mostWatches = 1_000;

export function AlertFilters({ eventName }: { eventName: string | undefined }) {
  const { query } = place.value;
  const state = query.get('state') ?? '';
  return (
    <div class="chips">
      {query.has('event') || query.has('watch') || query.has('tag') ? (
        <Chosen eventName={eventName} />
      ) : (
        <SubjectSearch />
      )}
      <div class="chip-row">
        {states.map((each) => (
          <button
            key={each.state}
            type="button"
            class="chip"
            aria-pressed={state === each.state}
            onClick={() => filter({ state: each.state })}
          >
            {each.label}
          </button>
        ))}
      </div>
    </div>
  );
}

function Chosen({ eventName }: { eventName: string | undefined }) {
  const { query } = place.value;
  const watchId = query.get('watch');
  const [watch] = useWatchNames(watchId ? [watchId] : []);
  const event = query.get('event');
  const tag = query.get('tag');
  const words = watch?.name ?? (tag ? `#${tag}` : (eventName ?? `Event ${event}`));
  return (
    <button
      type="button"
      class="chip"
      aria-pressed={true}
      aria-label={`${words}, show all`}
      onClick={() => filter({ event: '', watch: '', tag: '' })}
    >
      {words} ×
    </button>
  );
}

/** The names are read when somebody begins to search. */
function SubjectSearch() {
  const listId = useId();
  const reading = useRef<Promise<void> | undefined>(undefined);
  const subjects = useSignal<readonly Subject[] | undefined>(undefined);
  const words = useSignal('');
  const problem = useSignal('');

  /** Once; after a failure again. */
  function read(): Promise<void> {
    reading.current ??= readAll(listWatches, { query: { limit: mostWatches } })
      .then((watches) => {
        subjects.value = subjectsOf(watches);
      })
      .catch((error: unknown) => {
        reading.current = undefined;
        failed(error);
      });
    return reading.current;
  }

  /** @param isWhole whether the person has asked for it, and is told if there is none */
  async function choose(isWhole: boolean): Promise<void> {
    problem.value = '';
    await read();
    const wanted = words.value.trim().toLowerCase();
    const found = subjects.value?.find(({ label }) => label.toLowerCase() === wanted);
    if (found) filter(found.filter);
    else if (isWhole && wanted !== '' && subjects.value)
      problem.value = 'None of your watches has this event, name or tag.';
  }

  return (
    <form
      class="search"
      onSubmit={(event) => {
        event.preventDefault();
        void choose(true);
      }}
    >
      <input
        type="search"
        class="search wide-field"
        list={listId}
        aria-label="Event, watch or tag"
        placeholder="Event, watch or #tag"
        value={words.value}
        onFocus={() => void read()}
        onInput={({ currentTarget }) => {
          words.value = currentTarget.value;
          void choose(false);
        }}
      />
      <datalist id={listId}>
        {subjects.value?.map(({ label }) => (
          <option key={label} value={label} />
        ))}
      </datalist>
      <p class="small alarm-text" role="status">
        {problem.value}
      </p>
    </form>
  );
}
