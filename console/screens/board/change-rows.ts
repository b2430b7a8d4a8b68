// What a person does to watches on the board. Each can be undone for ten seconds there, and for days by the API.
import { changeWatches, undoChange } from '../../api/calls.ts';
import { send } from '../../api/send.ts';
import { attempt, told } from '../../parts/toasts.tsx';
import { plural } from '../../words/amounts.ts';

export type RowAction =
  | { type: 'pause' | 'resume' | 'end_snooze' | 'delete' }
  | { type: 'snooze'; minutes: number }
  | { type: 'add_tags'; tags: string[] }
  | { type: 'change_level'; by_percent: number };

const aDay = 24 * 60;
export const snoozeForADay: RowAction = { type: 'snooze', minutes: aDay };

const done: Readonly<Record<RowAction['type'], string>> = {
  pause: 'Paused',
  resume: 'Resumed',
  end_snooze: 'Ended the snooze of',
  delete: 'Deleted',
  snooze: 'Snoozed for a day:',
  add_tags: 'Tagged',
  change_level: 'Changed the level of',
};

/** Carries out an action on watches, and offers to undo it. */
export async function changeRows(ids: readonly string[], action: RowAction): Promise<void> {
  if (ids.length === 0) return;
  await attempt(async () => {
    const run = await send(changeWatches, { body: { ids, action } });
    const { changed = ids.length, refused = 0 } = run.counts ?? {};
    const reason = run.watches?.find(({ outcome }) => outcome === 'refused')?.detail;
    const text = `${done[action.type]} ${plural(changed, 'watch', 'watches')}`;
    const more = refused === 0 ? '' : `; ${refused} refused: ${reason ?? 'see the jobs'}`;
    const undo = () => send(undoChange, { path: { id: run.id ?? '' } });
    told(text + more, changed > 0 && run.id ? undo : undefined);
  });
}
