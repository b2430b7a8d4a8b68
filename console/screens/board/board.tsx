// The board: every watch, the nearest to its level first.
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { type ListedWatch, listWatches } from '../../api/calls.ts';
import { readAll } from '../../api/read-all.ts';
import { Failed, Waiting } from '../../parts/states.tsx';
import { undoNewest } from '../../parts/toasts.tsx';
import { filter, open, place } from '../../router.ts';
import { coarseNow } from '../../state/clock.ts';
import { useLive } from '../../state/live.ts';
import { canWrite } from '../../state/session.ts';
import { zone } from '../../state/status.ts';
import { count, plural } from '../../words/amounts.ts';
import { isPressing, isTyping, moved } from './board-keys.ts';
import { BoardTable } from './board-table.tsx';
import { changeRows, snoozeForADay } from './change-rows.ts';
import { byEvent, type ChipName, chipNames, chooseRows } from './choose-rows.ts';
import { EmptyBoard } from './empty-board.tsx';
import { Filters } from './filters.tsx';
import { KeyHelp } from './key-help.tsx';
import { toggleAll, toggled } from './selection.ts';
import { SelectionBar } from './selection-bar.tsx';

const pageSize = 1_000;

/** Every watch with its standing, the nearest first. */
function readWatches(signal: AbortSignal): Promise<ListedWatch[]> {
  const query = { include: 'standing', sort: 'closeness', limit: pageSize };
  return readAll(listWatches, { query, signal });
}

export function Board() {
  const { data, error } = useLive(readWatches, []);
  const watches = data.value;
  if (!watches) {
    return error.value ? <Failed error={error.value} /> : <Waiting what="your watches" />;
  }
  return watches.length === 0 ? <EmptyBoard /> : <FilledBoard watches={watches} />;
}

function FilledBoard({ watches }: { watches: readonly ListedWatch[] }) {
  const { query } = place.value;
  const given = query.get('show') ?? 'all';
  const chip: ChipName = chipNames.find((name) => name === given) ?? 'all';
  const choice = { chip, tag: query.get('tag') ?? '', words: query.get('q') ?? '' };
  const isGrouped = query.get('group') === 'event';
  const today = { now: coarseNow.value, zone: zone.value };
  const rows = useMemo(() => {
    const chosen = chooseRows(watches, choice, today);
    return isGrouped ? byEvent(chosen) : chosen;
  }, [watches, chip, choice.tag, choice.words, isGrouped, today.zone]);
  const position = useSignal(0);
  const selected = useSignal<ReadonlySet<string>>(new Set());
  const isHelpShown = useSignal(false);
  useBoardKeys({ rows, position, selected, isHelpShown });

  return (
    <>
      <h1 class="unseen">Board</h1>
      <Filters watches={watches} choice={choice} isGrouped={isGrouped} today={today} />
      <Selection rows={rows} selected={selected} />
      {rows.length === 0 ? (
        <div class="card blank">
          <h2>No watch fits</h2>
          <p class="muted">{plural(watches.length, 'watch', 'watches')} in all.</p>
          <button type="button" onClick={() => filter({ show: '', tag: '', q: '' })}>
            Show all
          </button>
        </div>
      ) : (
        <BoardTable rows={rows} position={position} selected={selected} isGrouped={isGrouped} />
      )}
      <p class="small muted foot hide">
        {count(rows.length)} of {count(watches.length)}, nearest first · j k to move, x to select, s
        to snooze, p to pause, ? for all keys
      </p>
      {isHelpShown.value && (
        <KeyHelp
          onClose={() => {
            isHelpShown.value = false;
          }}
        />
      )}
    </>
  );
}

/** Apart from the table, which a selection does not draw again. */
function Selection({ rows, selected }: Pick<BoardState, 'rows' | 'selected'>) {
  const ids = rows.filter(({ id }) => selected.value.has(id)).map(({ id }) => id);
  if (ids.length === 0) return null;
  return (
    <SelectionBar
      ids={ids}
      shown={rows.length}
      onAll={() => toggleAll(selected, rows)}
      onDone={() => {
        selected.value = new Set();
      }}
    />
  );
}

interface BoardState {
  rows: readonly ListedWatch[];
  position: { value: number };
  selected: { value: ReadonlySet<string> };
  isHelpShown: { value: boolean };
}

/** Listens to the keys while the board is shown. */
function useBoardKeys(state: BoardState): void {
  const current = useRef(state);
  current.current = state;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event) || isPressing(event)) return;
      const act = keyActs[event.key];
      if (!act) return;
      event.preventDefault();
      act(current.current);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

/** A change is for the selected watches; without a selection for the watch at the cursor. */
function aimedAt({ rows, position, selected }: BoardState): ListedWatch[] {
  const chosen = rows.filter(({ id }) => selected.value.has(id));
  const current = atCursor({ rows, position });
  return chosen.length > 0 ? chosen : current ? [current] : [];
}

/** The watch at the cursor; the last one when a filter has left fewer rows. */
function atCursor({
  rows,
  position,
}: Pick<BoardState, 'rows' | 'position'>): ListedWatch | undefined {
  return rows[Math.min(position.value, rows.length - 1)];
}

function change(state: BoardState, action: Parameters<typeof changeRows>[1]): void {
  if (!canWrite.value) return;
  void changeRows(
    aimedAt(state).map(({ id }) => id),
    action,
  );
}

function move(state: BoardState, by: number): void {
  state.position.value = moved(state.position.value, by, state.rows);
  document.querySelector<HTMLElement>(`[data-row="${state.position.value}"] a`)?.focus();
}

const keyActs: Readonly<Record<string, (state: BoardState) => void>> = {
  j: (state) => move(state, 1),
  k: (state) => move(state, -1),
  e: (state) => open(`/watches/${atCursor(state)?.id}`),
  Enter: (state) => open(`/events/${atCursor(state)?.event_id}`),
  x: (state) => {
    const { selected } = state;
    const id = atCursor(state)?.id;
    if (id) selected.value = toggled(selected.value, id);
  },
  a: ({ rows, selected }) => toggleAll(selected, rows),
  s: (state) => change(state, snoozeForADay),
  p: (state) => {
    const arePaused = aimedAt(state).every(({ status }) => status === 'paused');
    change(state, { type: arePaused ? 'resume' : 'pause' });
  },
  u: () => undoNewest(),
  n: () => open('/watches/new'),
  '/': () => document.querySelector<HTMLInputElement>('#search')?.focus(),
  '?': ({ isHelpShown }) => {
    isHelpShown.value = true;
  },
};
