// What can be done to the selected watches.
import { useSignal } from '@preact/signals';
import { canWrite } from '../../state/session.ts';
import { count, plural } from '../../words/amounts.ts';
import { changeRows, snoozeForADay } from './change-rows.ts';
import type { RowAction } from './change-words.ts';

const acts: readonly { label: string; action: RowAction }[] = [
  { label: 'Pause', action: { type: 'pause' } },
  { label: 'Resume', action: { type: 'resume' } },
  { label: 'Snooze a day', action: snoozeForADay },
  { label: 'Level −5%', action: { type: 'change_level', by_percent: -5 } },
  { label: 'Level +5%', action: { type: 'change_level', by_percent: 5 } },
  { label: 'Delete', action: { type: 'delete' } },
];

interface SelectionBarProps {
  ids: readonly string[];
  /** How many watches are shown. */
  shown: number;
  onAll: () => void;
  onDone: () => void;
}

export function SelectionBar({ ids, shown, onAll, onDone }: SelectionBarProps) {
  const tag = useSignal('');

  async function carryOut(action: RowAction): Promise<void> {
    onDone();
    await changeRows(ids, action);
  }

  function addTag(event: Event): void {
    event.preventDefault();
    const name = tag.value.trim().replace(/^#/, '');
    if (name !== '') void carryOut({ type: 'add_tags', tags: [name] });
  }

  return (
    <div class="card selection" role="toolbar" aria-label="Selected watches">
      <b>{plural(ids.length, 'watch', 'watches')} selected</b>
      {canWrite.value ? (
        <>
          {acts.map(({ label, action }) => (
            <button key={label} type="button" onClick={() => void carryOut(action)}>
              {label}
            </button>
          ))}
          <form onSubmit={addTag}>
            <input
              class="search"
              placeholder="Add a tag"
              aria-label="Add a tag"
              value={tag.value}
              onInput={({ currentTarget }) => {
                tag.value = currentTarget.value;
              }}
            />
          </form>
        </>
      ) : (
        <span class="muted">This key can only read.</span>
      )}
      {ids.length < shown && (
        <button type="button" class="plain" onClick={onAll}>
          Select all {count(shown)}
        </button>
      )}
      <button type="button" class="plain" onClick={onDone}>
        Clear
      </button>
    </div>
  );
}
