// The events of the furnished desk, what Ann watches there, and what her watches have told her.

/** What became of an alert: sent after some seconds, held over the night, or stopped by the rule's pause. */
export type Outcome = 'sent' | 'held' | 'cool_down';

export interface ShownAlert {
  hoursAgo: number;
  /** In dollars. */
  price: number;
  outcome: Outcome;
}

export interface ShownEvent {
  name: string;
  date: string;
  time: string;
  venue: string;
  city: string;
  /** Dollars now, of the zone that the rule is about. */
  price: number;
  /** How far above it was a month ago, as a fraction. */
  fall: number;
  rule: Record<string, unknown>;
  /** Of a second watch on the event. */
  alsoRule?: Record<string, unknown>;
  tags?: string[];
  /** By name, in parts of the price. */
  zones?: Record<string, number>;
  listings: number;
  /** Newest first. */
  alerts?: ShownAlert[];
  /** Whether the rule has fired and not rearmed since. */
  hasFired?: boolean;
  state?: 'snoozed' | 'paused' | 'mute';
  pullsPerDay: number;
}

const level = (at_or_below: number, also: Record<string, unknown> = {}) => ({
  ...{ type: 'level', metric: 'get_in', at_or_below },
  ...also,
});

export const shownEvents: readonly ShownEvent[] = [
  {
    ...{ name: 'Cavaliers at Knicks', date: '2026-12-02', time: '19:30' },
    ...{ venue: 'Madison Square Garden', city: 'New York', price: 126.5, fall: 0.38 },
    ...{ rule: level(120, { zone: 'Lower Bowl' }), tags: ['knicks', 'december'] },
    zones: { Courtside: 11.8, 'Lower Bowl': 1, Club: 1.66, 'Upper Bowl': 0.46 },
    ...{ listings: 412, pullsPerDay: 12 },
    alsoRule: { type: 'extreme', new: 'low', metric: 'get_in', within: '30d', zone: 'Lower Bowl' },
    alerts: [
      { hoursAgo: 52, price: 118.5, outcome: 'sent' },
      { hoursAgo: 152, price: 119, outcome: 'cool_down' },
      { hoursAgo: 155, price: 117, outcome: 'held' },
    ],
  },
  {
    ...{ name: 'Timberwolves at 76ers', date: '2026-12-03', time: '19:00' },
    ...{ venue: 'Wells Fargo Center', city: 'Philadelphia', price: 16.75, fall: 0.6 },
    ...{ rule: level(21), listings: 897, pullsPerDay: 9, hasFired: true },
    alerts: [{ hoursAgo: 1 / 12, price: 16.75, outcome: 'sent' }],
  },
  {
    ...{ name: 'Celtics at Pistons', date: '2026-12-04', time: '19:00' },
    ...{ venue: 'Little Caesars Arena', city: 'Detroit', price: 64, fall: 0.12 },
    ...{ rule: level(55, { metric: 'get_in_qty2plus' }), tags: ['december'] },
    ...{ listings: 203, pullsPerDay: 6 },
  },
  {
    ...{ name: 'Hamilton', date: '2026-12-05', time: '20:00' },
    ...{ venue: 'Richard Rodgers Theatre', city: 'New York', price: 289, fall: -0.05 },
    ...{ rule: level(240, { zone: 'Orchestra' }), listings: 61, pullsPerDay: 5 },
    ...{ zones: { Orchestra: 1, Balcony: 0.6 }, state: 'snoozed' },
    alerts: [{ hoursAgo: 76, price: 238, outcome: 'sent' }],
  },
  {
    ...{ name: 'Rangers at Devils', date: '2026-12-05', time: '19:00' },
    ...{ venue: 'Prudential Center', city: 'Newark', price: 41, fall: 0.2 },
    ...{ rule: level(35), listings: 540, pullsPerDay: 4, state: 'mute' },
    alerts: [{ hoursAgo: 195, price: 34.5, outcome: 'sent' }],
  },
  {
    ...{ name: 'Lakers at Warriors', date: '2026-12-13', time: '17:30' },
    ...{ venue: 'Chase Center', city: 'San Francisco', price: 212, fall: 0.25 },
    ...{ rule: level(180), tags: ['december'], listings: 1_120, pullsPerDay: 4 },
  },
  {
    ...{ name: 'The Nutcracker', date: '2026-12-20', time: '14:00' },
    ...{ venue: 'Lincoln Center', city: 'New York', price: 88, fall: -0.2 },
    ...{ rule: level(70, { zone: 'Balcony' }), listings: 145, pullsPerDay: 3, state: 'paused' },
    zones: { Orchestra: 2.4, Balcony: 1 },
    alerts: [{ hoursAgo: 290, price: 69, outcome: 'sent' }],
  },
  {
    ...{ name: 'Phish, night 3', date: '2026-12-30', time: '20:00' },
    ...{ venue: 'Madison Square Garden', city: 'New York', price: 148, fall: 0.3 },
    ...{ rule: level(140), listings: 388, pullsPerDay: 2 },
    alerts: [{ hoursAgo: 122, price: 139, outcome: 'sent' }],
  },
];
