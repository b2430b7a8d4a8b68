// The example of a webhook message; a test checks it against the payload's schema.
import { exampleIds } from './example-ids.ts';

export const exampleWebhook = {
  version: 2,
  type: 'alert.fired',
  timestamp: '2026-03-01T12:02:00.000Z',
  data: {
    alert: {
      id: exampleIds.alert,
      watch_id: exampleIds.watch,
      rule_id: exampleIds.rule,
      event_id: exampleIds.event,
      event_name: 'Finals, Game 1',
      event_date: '2026-06-04',
      event_time: '20:00',
      venue_name: 'The Garden',
      venue_city: 'New York',
      headline:
        'Finals, Game 1, Lower Bowl: get-in $74, down 26% from $100 in the last 42 min; your level was $80',
      sentence: 'Get-in of Lower Bowl at or below $80.00',
      series: 'stats/get_in/zone=Lower%20Bowl',
      direction: 'down',
      role: 'main',
      unit: 'dollars',
      now: 74,
      now_with_fee: 74,
      before: 100,
      before_at: '2026-03-01T11:20:00Z',
      level: 80,
      covered_hours: null,
      is_from_none: false,
      already_true: false,
      urgent: false,
      lone_listing: false,
      moves: null,
      listings: [],
      observed_at: '2026-03-01T12:01:59.000Z',
      fired_at: '2026-03-01T12:02:00.000Z',
      watch_url: null,
    },
    held_for: null,
  },
};
