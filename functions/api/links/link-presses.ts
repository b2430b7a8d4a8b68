// What the pages behind the links in messages may say and offer, beside what is true of one channel.
import type { LinkPage, Press } from './link-page.ts';

/** Every button that a page may have. */
export const presses = {
  confirm: { act: 'confirm', label: 'Yes, send price alerts here' },
  snooze: { act: 'snooze', label: 'Snooze this watch here for 24 hours' },
  snoozeAll: { act: 'snooze_all', label: 'Snooze all alerts here for 24 hours' },
  stopWatch: { act: 'stop_watch', label: 'Stop alerts of this watch here' },
  stopAll: { act: 'stop_all', label: 'Stop all messages here', isLast: true },
  resumeWatch: { act: 'resume_watch', label: 'Undo: send alerts of this watch here again' },
  unsnoozeAll: { act: 'unsnooze_all', label: 'Undo: send alerts here again' },
  resumeAll: { act: 'resume_all', label: 'Undo: send alerts here again' },
  lift: { act: 'lift', label: 'Yes, send price alerts here again' },
} as const satisfies Record<string, Press>;

export const notConfirmable: LinkPage = {
  title: 'Nothing to confirm',
  lines: ['Alerts were stopped or switched off here. Undo it by the link in an earlier message.'],
  presses: [],
};

export const notValid: LinkPage = {
  title: 'This link no longer works',
  lines: ['The link may be too old or incomplete. Use the link of a newer message.'],
  presses: [],
};

/** The message's watch is gone; the channel can still be changed. */
export const noWatch: LinkPage = {
  title: 'The watch was not found',
  lines: ['It may have been deleted. You can still stop or snooze all messages here.'],
  presses: [presses.snoozeAll, presses.stopAll],
};

/** We made the link, so its channel was there: its owner has deleted it, or everything. */
export const deleted: LinkPage = {
  title: 'Deleted',
  lines: [
    'What this link was for has been deleted, and its address with it. Nothing more comes here.',
  ],
  presses: [],
};

/** The page after an undo. */
export function onAgain(...offered: Press[]): LinkPage {
  return { title: 'On again', lines: ['Alerts come here again.'], presses: offered };
}
