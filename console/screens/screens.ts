// Every screen: its address, its title, and its place in the navigation. A new screen needs a row here.
import type { ComponentType } from 'preact';
import { Alerts } from './alerts/alerts.tsx';
import { Board } from './board/board.tsx';
import { Channels } from './channels/channels.tsx';
import { EventScreen } from './event/event-screen.tsx';
import { Money } from './money/money.tsx';
import { Settings } from './settings/settings.tsx';
import { EditWatch } from './watch/edit-watch.tsx';
import { NewWatch } from './watch/new-watch.tsx';

export interface ScreenRow {
  /** The address after /console, such as `/events/{id}`. */
  form: string;
  title: string;
  /** The name in the navigation. @default - not there */
  nav?: string;
  // biome-ignore lint/suspicious/noExplicitAny: each screen takes the parts of its own address
  Show: ComponentType<any>;
}

export const screens: readonly ScreenRow[] = [
  { form: '/board', title: 'Board', nav: 'Board', Show: Board },
  { form: '/alerts', title: 'Alerts', nav: 'Alerts', Show: Alerts },
  { form: '/channels', title: 'Channels', nav: 'Channels', Show: Channels },
  { form: '/money', title: 'Money', nav: 'Money', Show: Money },
  { form: '/settings', title: 'Settings', nav: 'Settings', Show: Settings },
  { form: '/events/{id}', title: 'Event', Show: EventScreen },
  { form: '/watches/new', title: 'New watch', Show: NewWatch },
  { form: '/watches/{id}', title: 'Watch', Show: EditWatch },
];
