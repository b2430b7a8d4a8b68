// The views: one row each.
import { alertsAtom } from './alerts-atom.ts';
import { alertsCsv } from './alerts-csv.ts';
import { boardCsv } from './board-csv.ts';
import { eventsIcs } from './events-ics.ts';
import type { PublishedView } from './view.ts';

/** By the last part of their address. */
export const views = {
  'board.csv': boardCsv,
  'alerts.csv': alertsCsv,
  'alerts.atom': alertsAtom,
  'events.ics': eventsIcs,
} as const satisfies Record<string, PublishedView>;

export type View = keyof typeof views;
export const viewNames = Object.keys(views) as View[];

export function isView(name: string): name is View {
  return Object.hasOwn(views, name);
}
