// The words of the alerts' screen: outcomes, messages, days, and what can be searched for.
import { describe, expect, it } from 'vitest';
import type { ListedAlert, ListedDelivery, ListedWatch } from '../../console/api/calls.ts';
import { alertQuery, subjectsOf } from '../../console/screens/alerts/alert-subjects.ts';
import {
  byDay,
  canReplay,
  dayTitle,
  deliveryWords,
  mergeAlerts,
  notesOf,
  outcomeOf,
} from '../../console/screens/alerts/alert-words.ts';

const clock = (iso: string) => iso.slice(11, 16);
const alert = (also: Partial<ListedAlert>) => also as ListedAlert;

describe('the outcome of an alert', () => {
  it.each<[Partial<ListedAlert>, string, string]>([
    [{ state: 'sent', reason: null, sent_at: '2026-03-01T12:02:30Z' }, 'sent 12:02', ''],
    [
      { state: 'waiting', reason: 'quiet_hours', held_until: '2026-03-02T07:00:00Z' },
      'held to 07:00',
      'quiet hours',
    ],
    [{ state: 'waiting', reason: null }, 'on its way', ''],
    [{ state: 'failed', reason: 'http_410' }, 'failed', 'it answered with HTTP 410'],
    [{ state: 'unsent', reason: 'snoozed' }, 'not sent', 'snoozed'],
  ])('%j', (also, text, why) => {
    expect(outcomeOf(alert(also), clock)).toMatchObject({ text, why });
  });
});

describe('a message', () => {
  const message = (also: Partial<ListedDelivery>): ListedDelivery =>
    ({
      ...{ left_out: [], attempts: [], reason: null, held_for: null },
      ...{ next_attempt_at: null, sent_at: null },
      ...also,
    }) as unknown as ListedDelivery;
  const tried = [{ at: '', outcome: 'retry' }] as ListedDelivery['attempts'];

  it.each<[Partial<ListedDelivery>, string]>([
    [{ status: 'sent', sent_at: '2026-03-01T12:02:30Z' }, 'Sent 12:02.'],
    [{ status: 'failed', reason: 'timeout' }, 'Failed: it did not answer in time.'],
    [{ status: 'skipped', reason: 'channel_disabled' }, 'Kept: the channel is switched off.'],
    [{ status: 'suppressed', reason: 'channel_gone' }, 'Not sent: the channel was deleted.'],
    [{ status: 'merged' }, 'Sent together with others, in another message.'],
    [
      { status: 'pending', held_for: 'quiet_hours', next_attempt_at: '2026-03-02T07:00:00Z' },
      'Held until 07:00: quiet hours.',
    ],
    [
      {
        ...{ status: 'pending', reason: 'http_503', attempts: tried },
        next_attempt_at: '2026-03-01T13:00:00Z',
      },
      'Not yet: it answered with HTTP 503; the next try is 13:00.',
    ],
    [{ status: 'sending' }, 'On its way.'],
    [
      { status: 'sent', left_out: [{ alert_id: 'alt_1', reason: 'superseded' }] },
      'Left out of the message: it was no longer true.',
    ],
  ])('%j', (also, words) => {
    expect(deliveryWords(message(also), 'alt_1', clock)).toBe(words);
  });

  it('is sent again only if it ended otherwise', () => {
    const ends = ['sent', 'pending', 'sending', 'merged', 'failed', 'skipped'] as const;
    expect(ends.filter((status) => canReplay({ status }))).toEqual(['failed', 'skipped']);
  });
});

describe('the days', () => {
  it('are those of the owner', () => {
    const rows = [
      { fired_at: '2026-03-01T12:00:00Z' },
      { fired_at: '2026-03-01T03:00:00Z' },
      { fired_at: '2026-02-28T20:00:00Z' },
    ];
    const days = byDay(rows, 'America/New_York');
    expect(days.map(({ date, alerts }) => [date, alerts.length])).toEqual([
      ['2026-03-01', 1],
      ['2026-02-28', 2],
    ]);
  });

  it('have names, also when the clocks change', () => {
    // In New York the clocks go forward on March 8: the day has 23 hours.
    const now = Date.parse('2026-03-09T04:30:00Z');
    const title = (date: string) => dayTitle(date, now, 'America/New_York');
    expect(title('2026-03-09')).toBe('Today');
    expect(title('2026-03-08')).toBe('Yesterday');
    expect(title('2026-03-07')).toBe('Sat, Mar 7');
    expect(title('2025-12-31')).toBe('Wed, Dec 31, 2025');
  });
});

it('an alert is known once, with what was read last, newest first', () => {
  const row = (id: string, fired_at: string, state: ListedAlert['state']) =>
    alert({ id, fired_at, state });
  const merged = mergeAlerts(
    [row('a', '2026-03-01T12:00:00Z', 'waiting'), row('b', '2026-03-01T11:00:00Z', 'sent')],
    [row('c', '2026-03-01T13:00:00Z', 'sent'), row('a', '2026-03-01T12:00:00Z', 'sent')],
  );
  expect(merged.map(({ id, state }) => [id, state])).toEqual([
    ['c', 'sent'],
    ['a', 'sent'],
    ['b', 'sent'],
  ]);
});

it('what is special about an alert is said', () => {
  expect(notesOf(alert({ role: 'recovery', urgent: true }))).toEqual(['went back', 'urgent']);
});

describe('the filter', () => {
  it('is what the address says', () => {
    expect(alertQuery(new URLSearchParams('event=1&state=failed'))).toEqual({
      ...{ event_id: '1', watch_id: undefined, tag: undefined, state: 'failed' },
    });
  });

  it('offers each event, name and tag once, and tells equal names apart', () => {
    const watch = (also: Partial<ListedWatch>) =>
      ({ id: 'wat_1', event_id: 1, event_name: 'Knicks', name: null, tags: [], ...also }) as never;
    const labels = subjectsOf([
      watch({ tags: ['east'] }),
      watch({ id: 'wat_2', name: 'Mine', tags: ['east'] }),
      watch({ id: 'wat_3', event_id: 2 }),
    ]).map(({ label }) => label);
    expect(labels).toEqual(['Knicks (1)', 'Knicks (2)', 'Watch: Mine', '#east']);
  });
});
