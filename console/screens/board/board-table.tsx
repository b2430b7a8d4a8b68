// The table of the board: a row a watch.
import { computed, type Signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { ListedWatch } from '../../api/calls.ts';
import { Change } from '../../parts/change.tsx';
import { EventWords } from '../../parts/event-words.tsx';
import { Link } from '../../parts/link.tsx';
import { Sparkline } from '../../parts/sparkline.tsx';
import { Ago, At } from '../../parts/time.tsx';
import { coarseNow } from '../../state/clock.ts';
import { zone } from '../../state/status.ts';
import { dollars } from '../../words/amounts.ts';
import { span } from '../../words/times.ts';
import { doneOf, levelOf, nearestRule, stateOf, whereOf } from './row-words.ts';
import { toggleAll, toggled } from './selection.ts';

/** Drawn before all others, so that a long board is there at once; a large screen shows fewer. */
const firstRows = 60;

interface BoardTableProps {
  rows: readonly ListedWatch[];
  /** The row of the cursor. */
  position: Signal<number>;
  selected: Signal<ReadonlySet<string>>;
  /** Whether rows of one event follow each other, and only the first names it. */
  isGrouped: boolean;
}

export function BoardTable({ rows, position, selected, isGrouped }: BoardTableProps) {
  const drawn = useSignal(firstRows);
  useEffect(() => {
    setTimeout(() => {
      drawn.value = rows.length;
    });
  }, [rows.length]);
  return (
    <div class="card board">
      <table>
        <thead>
          <tr>
            <th class="pick">
              <SelectAll rows={rows} selected={selected} />
            </th>
            <th>Event</th>
            <th>Where</th>
            <th class="num">Get-in</th>
            <th class="num">24 h</th>
            <th>7 days</th>
            <th>To your level</th>
            <th>State</th>
            <th>Last alert</th>
            <th>Next look</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, drawn.value).map((watch, index) => (
            <Row
              key={watch.id}
              {...{ watch, index, position, selected }}
              isNamed={!isGrouped || rows[index - 1]?.event_id !== watch.event_id}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function SelectAll({ rows, selected }: Pick<BoardTableProps, 'rows' | 'selected'>) {
  const chosen = rows.filter(({ id }) => selected.value.has(id)).length;
  return (
    <input
      type="checkbox"
      aria-label="Select all that are shown"
      checked={chosen === rows.length}
      indeterminate={chosen > 0 && chosen < rows.length}
      onChange={() => toggleAll(selected, rows)}
    />
  );
}

interface RowProps extends Pick<BoardTableProps, 'position' | 'selected'> {
  watch: ListedWatch;
  index: number;
  isNamed: boolean;
}

function Row({ watch, index, position, selected, isNamed }: RowProps) {
  // Of their own, so that a step of the cursor draws two rows and not all.
  const isAt = useMemo(() => computed(() => position.value === index), [index]);
  const isChosen = useMemo(() => computed(() => selected.value.has(watch.id)), [watch.id]);
  const isSelected = isChosen.value;
  const { standing } = watch;
  const { rule, standing: nearest } = nearestRule(watch);
  const prices = standing?.zone ?? standing;
  const state = stateOf(watch, coarseNow.value, zone.value);
  return (
    <tr
      data-row={index}
      class={`${isAt.value ? 'at ' : ''}${isSelected ? 'chosen' : ''}`}
      onFocusIn={() => {
        position.value = index;
      }}
    >
      <td class="pick">
        <input
          type="checkbox"
          aria-label={`Select ${watch.name ?? watch.event_name ?? watch.id}`}
          checked={isSelected}
          onChange={() => {
            selected.value = toggled(selected.value, watch.id);
          }}
        />
      </td>
      <td class="what">{isNamed ? <EventWords event={watch} /> : <span class="faint">″</span>}</td>
      <td class="wide where">
        <Link to={`/watches/${watch.id}`}>{watch.name ?? whereOf(rule?.rule)}</Link>
        <Tags tags={watch.tags} />
      </td>
      <td class="num">
        <span class="price">{dollars(prices?.get_in)}</span>
        <StaleNote watch={watch} />
      </td>
      <td class="num wide">
        <Change percent={prices?.get_in_change_24h_percent ?? null} />
      </td>
      <td class="wide">
        <Sparkline
          values={prices?.get_in_week ?? []}
          level={nearest?.unit === 'dollars' ? nearest.level : null}
        />
      </td>
      <td class="wide">
        <div class="gap" title={nearest?.words ?? ''}>
          <span class="small muted">{levelOf(watch)}</span>
          <b>
            <i style={{ width: `${Math.round(doneOf(watch) * 100)}%` }} />
          </b>
        </div>
      </td>
      <td class="how">
        <span class={`state ${state.look}`} title={state.title}>
          {state.text}
        </span>
      </td>
      <td class="small muted wide">
        <Ago time={standing?.last_alert?.fired_at} />
      </td>
      <td class="small muted wide">
        {watch.status === 'active' ? <At time={standing?.next_poll_at} /> : watch.status}
      </td>
    </tr>
  );
}

function Tags({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return null;
  return <div class="small faint">{tags.map((tag) => `#${tag}`).join(' ')}</div>;
}

/** A price that is older than a day says so. */
function StaleNote({ watch: { standing, status } }: { watch: ListedWatch }) {
  const asOf = standing?.data_as_of;
  if (!asOf || status !== 'active') return null;
  const age = coarseNow.value - Date.parse(asOf);
  return age < 86_400_000 ? null : <div class="small wait-text">{span(age)} old</div>;
}
