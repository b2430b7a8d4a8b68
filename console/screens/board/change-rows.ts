// What a person does to watches on the board. Each can be undone for ten seconds there, and for days by the API.
import { changeWatches, undoChange } from '../../api/calls.ts';
import { send } from '../../api/send.ts';
import { untilOver } from '../../parts/job-note.ts';
import { attempt, told } from '../../parts/toasts.tsx';
import { doneWords, type RowAction, resultWords } from './change-words.ts';

const aDay = 24 * 60;
export const snoozeForADay: RowAction = { type: 'snooze', minutes: aDay };

/** Carries out an action on watches, and offers to undo it. More than 200 go on as a job, whose end it waits for. */
export async function changeRows(ids: readonly string[], action: RowAction): Promise<void> {
  if (ids.length === 0) return;
  const words = doneWords[action.type];
  await attempt(async () => {
    const run = await untilOver(await send(changeWatches, { body: { ids, action } }), words);
    const path = { id: run.id ?? '' };
    const undo = async () => untilOver(await send(undoChange, { path }), 'Undone:');
    told(resultWords(words, run), run.counts?.changed ? undo : undefined);
  });
}
