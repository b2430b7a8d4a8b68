// The examples of webhook messages; a test checks them against the payload's schema.
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
      headline: '$74 ▼ 26%: Finals, Game 1, Lower Bowl · under your $80',
      sentence: 'Get-in of Lower Bowl at or below $80',
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
      may_repeat: false,
      moves: null,
      listings: [],
      observed_at: '2026-03-01T12:01:59.000Z',
      fired_at: '2026-03-01T12:02:00.000Z',
      watch_url: 'https://example.com/l/TOKEN',
      tickets_url: 'https://example.com/event/4711',
      chart_url: 'https://example.com/c/TOKEN.png',
    },
    held_for: null,
  },
};

export const exampleRecovery = {
  ...exampleWebhook,
  type: 'alert.recovered',
  timestamp: '2026-03-01T13:32:00.000Z',
  data: {
    ...exampleWebhook.data,
    alert: {
      ...exampleWebhook.data.alert,
      id: `${exampleIds.alert}_r`,
      headline: '$88 ▲ went back: Finals, Game 1, Lower Bowl · over your $80',
      sentence: 'Get-in of Lower Bowl at or below $80; also when it went back after an alert',
      direction: 'up',
      role: 'recovery',
      now: 88,
      now_with_fee: 88,
      before: 74,
      before_at: '2026-03-01T12:01:59.000Z',
      observed_at: '2026-03-01T13:31:59.000Z',
      fired_at: '2026-03-01T13:32:00.000Z',
    },
  },
};

export const exampleDigest = {
  ...exampleWebhook,
  type: 'alerts.fired',
  data: {
    alerts: [exampleWebhook.data.alert],
    recovered: [exampleRecovery.data.alert],
    held_for: 'digest',
    more: 1,
    more_ids: [exampleIds.alert.replace('_1', '_2')],
    more_url: `https://example.com/v1/alerts?delivery_id=${exampleIds.delivery}&untold=3-BA`,
  },
};

export const exampleTest = {
  ...exampleWebhook,
  type: 'channel.test',
  data: { headline: 'A test from Getin', paragraphs: ['Alerts will come here.'] },
};

export const exampleNotice = {
  ...exampleWebhook,
  type: 'channel.notice',
  data: {
    headline: 'Polling of Finals, Game 1 has stopped',
    paragraphs: ['The marketplace does not know the event at present.'],
  },
};
