// The board before the first watch: one search, and examples of it.
import { useSignal } from '@preact/signals';
import { Link } from '../../parts/link.tsx';
import { open } from '../../router.ts';

const examples = ['knicks dec', 'hamilton new york', 'taylor swift'];

const address = (words: string) => `/watches/new?q=${encodeURIComponent(words)}`;

export function EmptyBoard() {
  const words = useSignal('');
  function search(event: Event): void {
    event.preventDefault();
    open(address(words.value.trim()));
  }
  return (
    <div class="blank first">
      <h1>What do you want to see?</h1>
      <p class="muted">
        Search for an event, say at which price it gets interesting, and Getin tells you the moment
        it is there.
      </p>
      <form onSubmit={search}>
        <input
          class="search"
          type="search"
          aria-label="Search for an event"
          placeholder="A team, an artist, a venue, a city, a date"
          value={words.value}
          onInput={({ currentTarget }) => {
            words.value = currentTarget.value;
          }}
        />
        <button type="submit" class="primary">
          Search
        </button>
      </form>
      <p class="small muted">
        For example{' '}
        {examples.map((example) => (
          <Link key={example} to={address(example)} class="chip">
            {example}
          </Link>
        ))}
      </p>
    </div>
  );
}
