/** What a restore will do and what it did, in words. Makes no calls. */
import type { BroughtUpToDate } from './bring-up-to-date.ts';
import type { PlannedTable } from './plan-tables.ts';
import type { RestoreRequest } from './restore-request.ts';

/** The ids of a list that are shown; the tables from before have all. */
const mostShown = 20;

export function wordPlan(
  planned: readonly PlannedTable[],
  { at }: RestoreRequest,
  isHalted: boolean,
): string[] {
  const time = at === undefined ? undefined : new Date(at).toISOString();
  return [
    time === undefined
      ? 'Back to the tables from before the last restore:'
      : `To the state of ${time}:`,
    ...planned.map(
      ({ table, from, to, there }) =>
        `  ${table}: ${from} → ${to}${there && time !== undefined ? ' (begun by an earlier run)' : ''}`,
    ),
    isHalted
      ? 'Schedules, queues and the API stand still already.'
      : 'Meanwhile schedules, queues and the API stand still: no polls, no alerts, and 503 for requests.',
    time === undefined
      ? 'Changes that owners made since the restore are gone.'
      : `Changes that owners made since ${time} are gone; they are named afterwards.`,
    'Alerts sent since are kept and not sent again. An alert that may repeat one says so.',
    'What is checked out here is deployed. Today’s tables stay, and cost until you delete them.',
  ];
}

export function wordOutcome(done: BroughtUpToDate): string[] {
  const { carried, deliveries, lost } = done;
  return [
    'Taken over from the tables from before:',
    `  ${count(carried.alert, 'alert')}, ${count(carried.delivery, 'delivery', 'deliveries')}, ${count(carried.notice, 'notice')}`,
    `  ${count(carried.pull, 'call')} in the ledger of pulls`,
    `  ${count(carried.suppression, 'blocked or lifted address', 'blocked or lifted addresses')}, ${count(done.stopped, 'stopped channel or key', 'stopped channels or keys')}`,
    `Rules that go on from an alert sent since: ${done.triggers}.`,
    `Deliveries that waited then: ${deliveries.keep} still wait, ${deliveries.adopt} are as they became since, ${deliveries.perhaps_sent} were perhaps sent and are not sent again (status unconfirmed; their owners can replay them).`,
    `Feeds whose next alerts may say that they are perhaps repeats: ${done.feeds}.`,
    ...(done.unreadable > 0
      ? [`Items that could not be read, and stay as the backup has them: ${done.unreadable}.`]
      : []),
    ...wordList('Made since, now gone', lost.made),
    ...wordList('Changed since, now as before', lost.changed),
    ...wordList('Deleted since, now back: delete again what people asked for', lost.deleted),
  ];
}

function count(number: number, one: string, several = `${one}s`): string {
  return `${number} ${number === 1 ? one : several}`;
}

function wordList(title: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length - mostShown;
  const shown = names.slice(0, mostShown).map((name) => `  ${name}`);
  return [`${title} (${names.length}):`, ...shown, ...(more > 0 ? [`  and ${more} more`] : [])];
}
