// Above the board: the search, the chips with their counts, the tags.
import type { ListedWatch } from '../../api/calls.ts';
import { filter } from '../../router.ts';
import { count } from '../../words/amounts.ts';
import { type Choice, chipNames, chips, tagsOf } from './choose-rows.ts';

/** More tags than this are found by the search. */
const mostTags = 6;

interface FiltersProps {
  watches: readonly ListedWatch[];
  choice: Choice;
  isGrouped: boolean;
  today: { now: number; zone: string };
}

export function Filters({ watches, choice, isGrouped, today }: FiltersProps) {
  return (
    <div class="chips">
      <input
        id="search"
        class="search"
        type="search"
        placeholder="Search watches  ( / )"
        aria-label="Search watches"
        value={choice.words}
        onInput={({ currentTarget }) => filter({ q: currentTarget.value })}
        onKeyDown={({ key, currentTarget }) => key === 'Escape' && currentTarget.blur()}
      />
      <div class="chip-row">
        {chipNames.map((name) => (
          <button
            key={name}
            type="button"
            class="chip"
            aria-pressed={choice.chip === name}
            onClick={() => filter({ show: name === 'all' ? '' : name })}
          >
            {chips[name].label}{' '}
            {count(watches.filter((watch) => chips[name].shows(watch, today)).length)}
          </button>
        ))}
        <span class="spring" />
        {tagsOf(watches)
          .slice(0, mostTags)
          .map((tag) => (
            <button
              key={tag}
              type="button"
              class="chip"
              aria-pressed={choice.tag === tag}
              onClick={() => filter({ tag: choice.tag === tag ? '' : tag })}
            >
              #{tag}
            </button>
          ))}
        <button
          type="button"
          class="chip"
          aria-pressed={isGrouped}
          onClick={() => filter({ group: isGrouped ? '' : 'event' })}
        >
          By event
        </button>
      </div>
    </div>
  );
}
