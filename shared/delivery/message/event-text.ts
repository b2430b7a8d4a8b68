// An event in words: its name, and where it is. Names that nobody can see count as none.
import { nameText, singleLine } from './plain-text.ts';

/** "Knicks at Heat"; "Event 4711" without a name. */
export function eventNameText(name: string | undefined, eventId: number): string {
  return nameText(name ?? '') || `Event ${eventId}`;
}

/** "Kaseya Center, Miami"; undefined without both. */
export function venueText(
  venueName: string | undefined,
  venueCity: string | undefined,
): string | undefined {
  const parts = [venueName, venueCity].map((part) => singleLine(part ?? ''));
  return nameText(parts.filter((part) => part !== '').join(', ')) || undefined;
}
