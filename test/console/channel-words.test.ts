// The words of the channels' screen: health, quiet hours, faults at their fields.
import { describe, expect, it } from 'vitest';
import type { ListedChannel } from '../../console/api/calls.ts';
import {
  channelName,
  healthOf,
  lastSentOf,
  missedOf,
} from '../../console/screens/channels/channel-words.ts';
import {
  moveEdge,
  quietLength,
  quietParts,
  timeOf,
} from '../../console/screens/channels/quiet-hours.ts';
import { reasonWords } from '../../console/words/reasons.ts';

const since = '2026-03-01T09:00:00.000Z';
const clock = (iso: string) => iso.slice(11, 16);

function channel(also: Partial<ListedChannel> = {}): ListedChannel {
  return {
    ...{ id: 'ch_1', kind: 'email', name: null, address: 'ann@example.com', status: 'active' },
    ...{ disabled_reason: null, blocked: null, snoozed_until: null, muted_watches: [] },
    ...{ immediate: false, stale_alerts: 'send', fallback_channel: null },
    ...{ failing_since: null, failures: 0, last_failure_reason: null, created_at: since },
    ...also,
  };
}

const block = (reason: 'bounce' | 'complaint') => ({
  ...{ status: 'suppressed' as const, blocked: { reason, since, text: '', ends: '' } },
});

describe('the health of a channel', () => {
  it.each<[string, Partial<ListedChannel>, string, string]>([
    ['works', {}, 'works', 'The last message arrived 11:00.'],
    ['is not confirmed', { status: 'unverified' }, 'not confirmed yet', 'the link in the mail'],
    [
      'waits for a chat',
      { status: 'unverified', kind: 'telegram' },
      'not confirmed yet',
      'presses “Start”',
    ],
    ['is switched off by its owner', { status: 'disabled' }, 'switched off', 'You switched it off'],
    [
      'is switched off after failures',
      { status: 'disabled', disabled_reason: 'http_404' },
      'switched off',
      'Switched off: it answered with HTTP 404. Its alerts are kept.',
    ],
    [
      'is switched off with its address',
      { status: 'disabled', disabled_reason: 'address_bounce' },
      'switched off',
      'Lift the block',
    ],
    ['has no reader any more', { status: 'unsubscribed' }, 'unsubscribed', 'Only the reader'],
    ['bounced', block('bounce'), 'blocked', 'lift the block'],
    ['was reported as spam', block('complaint'), 'blocked', 'Only its reader can lift the block'],
    [
      'is snoozed',
      { snoozed_until: '2026-03-02T08:00:00.000Z' },
      'snoozed to 08:00',
      'They are recorded',
    ],
    [
      'fails',
      { failing_since: since, failures: 3, last_failure_reason: 'timeout' },
      'failing',
      'Since 09:00 the last 3 messages failed. The last time it did not answer in time.',
    ],
    [
      'is muted for a watch',
      { muted_watches: [{ watch: 'wat_1', until: null }] },
      'works, 1 muted',
      'stopped 1 watch here',
    ],
  ])('%s', (_, also, state, text) => {
    const words = healthOf(channel(also), '2026-03-01T11:00:00.000Z', clock);
    expect(words.state).toBe(state);
    expect(words.text).toContain(text);
  });

  it('of a new channel claims nothing', () => {
    const { look, state } = healthOf(channel(), undefined, clock);
    expect([look, state]).toEqual(['armed', 'ready']);
  });

  it('tells the newest message of each channel, and counts what a replay would send', () => {
    const row = (
      channel_id: string,
      status: string,
      sent_at: string | null,
      purpose = 'alert',
    ) => ({
      ...{ channel_id, status, sent_at, purpose },
    });
    const rows = [
      row('a', 'sent', '2026-03-01T10:00:00Z'),
      row('a', 'sent', '2026-03-01T11:00:00Z'),
      row('a', 'failed', null),
      row('a', 'skipped', null),
      row('a', 'failed', null, 'test'),
      row('b', 'failed', null),
    ];
    expect([...lastSentOf(rows)]).toEqual([['a', '2026-03-01T11:00:00Z']]);
    expect(missedOf(rows, 'a')).toBe(2);
  });
});

describe('the name of a channel', () => {
  it.each<[Partial<ListedChannel>, string]>([
    [{ name: 'Office' }, 'Office'],
    [{}, 'ann@example.com'],
    [{ kind: 'ntfy', host: 'ntfy.sh', recipient: 'kni…' }, 'ntfy.sh, kni…'],
    [{ kind: 'telegram', host: 't.me', recipient: 'Ann' }, 'Telegram, Ann'],
  ])('%j', (also, name) => {
    const { address, ...rest } = channel(also);
    expect(channelName({ ...rest, ...(also.host === undefined && { address }) })).toBe(name);
  });
});

describe('a reason', () => {
  it.each([
    ['http_503', 'it answered with HTTP 503'],
    ['redirect_301', 'it redirected with HTTP 301'],
    ['is_archived', 'is archived'],
    ['constructor', 'constructor'],
  ])('%s', (code, words) => expect(reasonWords(code)).toBe(words));
});

describe('quiet hours on a bar', () => {
  it('are two parts when midnight is inside', () => {
    expect(quietParts({ from: 22 * 60, to: 6 * 60 })).toEqual([
      { start: 22 / 24, length: 2 / 24 },
      { start: 0, length: 0.25 },
    ]);
    expect(quietParts({ from: 22 * 60, to: 0 })).toHaveLength(1);
    expect(quietParts({ from: 60, to: 120 })).toHaveLength(1);
    expect(quietLength({ from: 22 * 60, to: 450 })).toBe('9 h 30 min');
  });

  it('move by steps, over midnight, and never onto each other', () => {
    const night = { from: 0, to: 60 };
    expect(moveEdge(night, 'from', -15)).toEqual({ from: 1_425, to: 60 });
    expect(moveEdge(night, 'to', 67)).toEqual({ from: 0, to: 60 });
    expect(moveEdge(night, 'to', 68)).toEqual({ from: 0, to: 75 });
    expect(moveEdge(night, 'from', 60)).toEqual({ from: 45, to: 60 });
    expect(moveEdge(night, 'to', 0)).toEqual({ from: 0, to: 15 });
    expect(timeOf(1_440)).toBe('00:00');
  });
});
