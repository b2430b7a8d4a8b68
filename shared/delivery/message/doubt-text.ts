// What may be wrong with an alert, and what its reader can do about it.
import { mostConfirmations } from '#shared/rules/trigger.ts';
import type { Alert } from '../../alerts/alert.ts';
import { momentText } from './figures.ts';

/** Ends the headline of an alert that may be a repeat. */
export const perhapsToldBefore = 'perhaps told before';

/** @param timeZone the reader's IANA zone. @returns undefined if nothing may be wrong */
export function doubtText(alert: Alert, timeZone: string): string | undefined {
  const doubts = [loneText(alert), repeatText(alert, timeZone)];
  return doubts.filter((text) => text !== undefined).join(' ') || undefined;
}

function repeatText({ mayRepeatSince }: Alert, timeZone: string): string | undefined {
  if (mayRepeatSince === undefined) return undefined;
  const since = momentText(mayRepeatSince, timeZone);
  return `You may have had this alert before: Getin was restored to its state of ${since}.`;
}

function loneText({ loneListing }: Alert): string | undefined {
  if (!loneListing) return undefined;
  const doubt = 'One listing, far under the rest; it may be mis-keyed.';
  const more = loneListing.confirmations + 1;
  if (more > mostConfirmations) return doubt;
  return `${doubt} With confirmations ${more} the rule waits until ${more} snapshots in a row show it.`;
}
