// What a change of watches did, in words.
import type { BulkRun, JobJson } from '../../api/calls.ts';
import { count, plural } from '../../words/amounts.ts';

export type RowAction =
  | { type: 'pause' | 'resume' | 'end_snooze' | 'delete' }
  | { type: 'snooze'; minutes: number }
  | { type: 'add_tags'; tags: string[] }
  | { type: 'change_level'; by_percent: number };

/** Before the watches that were changed. */
export const doneWords: Readonly<Record<RowAction['type'], string>> = {
  pause: 'Paused',
  resume: 'Resumed',
  end_snooze: 'Ended the snooze of',
  delete: 'Deleted',
  snooze: 'Snoozed for a day:',
  add_tags: 'Tagged',
  change_level: 'Changed the level of',
};

/** What a change did to the watches, in words; nothing for no watch. */
export function resultWords(words: string, run: BulkRun | JobJson): string {
  const { changed = 0, unchanged = 0, refused = 0 } = run.counts ?? {};
  const refusal = 'watches' in run && run.watches?.find(({ outcome }) => outcome === 'refused');
  const isCut = 'state' in run && run.state !== 'done';
  const parts = [
    changed > 0 && `${words} ${plural(changed, 'watch', 'watches')}`,
    unchanged > 0 && `${plural(unchanged, 'watch was', 'watches were')} so already`,
    refused > 0 &&
      `${count(refused)} refused: ${refusal ? refusal.detail : 'see the jobs in Settings'}`,
    isCut && `stopped at ${count(run.done)} of ${count(run.total)}`,
  ];
  return parts.filter(Boolean).join('; ');
}
