import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressOf, closeServer, listenOnLoopback } from '#infra/local/loopback.ts';
import { AlertLines } from '#infra/local/terminal/alert-lines.ts';
import { shortenLogLine } from '#infra/local/terminal/log-lines.ts';

const server = createServer(({ url, headers }, response) => {
  response.statusCode = url === '/v1/alerts/alt_1' && headers.authorization ? 200 : 404;
  response.end(JSON.stringify({ headline: 'Lower Bowl: get-in $80', event_name: 'Knicks' }));
});
let api: string;
beforeAll(async () => {
  api = addressOf(await listenOnLoopback(server, 0));
});
afterAll(() => closeServer(server));

function onAScreen() {
  const shown: string[] = [];
  const screen = {
    line: (text = '') => void shown.push(text),
    warning: (text: string) => void shown.push(`! ${text}`),
    paint: (_: unknown, text: string) => text,
  };
  const alerts = new AlertLines();
  alerts.showOn({ screen, api, apiKey: 'getin_x' });
  return { alerts, shown };
}

function say(alerts: AlertLines, message: string, fields: object): void {
  alerts.read(JSON.stringify({ level: 'INFO', message, ...fields }));
}

describe('an alert that fired', () => {
  it('is one line in its own words, however many deliveries it has', async () => {
    const { alerts, shown } = onAScreen();
    say(alerts, 'alert.fired', { alertId: 'alt_1', watchId: 'wat_1', eventId: 7 });
    const sent = { alertId: 'alt_1', deliveryId: 'dlv_1', outcome: 'sent' };
    say(alerts, 'delivery.attempted', { ...sent, channelKind: 'email' });
    say(alerts, 'delivery.attempted', { ...sent, channelKind: 'webhook' });
    await expect.poll(() => shown).toEqual(['▼ Knicks: Lower Bowl: get-in $80']);
    expect(alerts.tally).toMatchObject({ alerts: 1, delivered: 2, deliveriesFailed: 0 });
  });

  it('is shown even if the API does not know it', async () => {
    const { alerts, shown } = onAScreen();
    say(alerts, 'alert.fired', { alertId: 'alt_2' });
    await expect
      .poll(() => shown)
      .toEqual(["! Alert alt_2 fired, but can't be read: the API answered 404"]);
  });
});

it('shows a delivery that failed permanently, with its reason, and no retries', () => {
  const { alerts, shown } = onAScreen();
  const attempt = { alertId: 'alt_1', channelKind: 'webhook' };
  say(alerts, 'delivery.attempted', { ...attempt, outcome: 'retry', reason: 'http_500' });
  say(alerts, 'delivery.attempted', { ...attempt, outcome: 'failed', reason: 'http_410' });
  expect(shown).toEqual(['! The webhook delivery of alt_1 failed: http_410']);
  expect(alerts.tally.deliveriesFailed).toBe(1);
});

it('counts pulls and snapshots, and notes when each event was polled', () => {
  const { alerts } = onAScreen();
  const stats = { feedKind: 'stats', outcome: 'polled' };
  say(alerts, 'poll.finished', { ...stats, eventId: 7, startedAt: 5, pulls: 1, newSnapshots: 5 });
  say(alerts, 'poll.finished', { ...stats, eventId: 8, startedAt: 6, pulls: 0, newSnapshots: 0 });
  say(alerts, 'poll.finished', { ...stats, eventId: 8, startedAt: 9, outcome: 'failed' });
  say(alerts, 'poll.finished', { ...stats, eventId: 8, startedAt: 9, feedKind: 'listings' });
  expect(alerts.tally).toMatchObject({ pulls: 1, snapshotsStored: 5 });
  expect([...alerts.tally.polledAt]).toEqual([
    [7, 5],
    [8, 6],
  ]);
});

it.each(['', 'plain text', '{"message":', '{"message":7}', '[]', '{"message":"alert.fired"}'])(
  'ignores the line %j',
  (line) => {
    const { alerts, shown } = onAScreen();
    alerts.read(line);
    expect([shown, alerts.tally.alerts]).toEqual([[], 0]);
  },
);

it.each([
  [
    'an entry to its event and fields',
    '{"level":"INFO","message":"poll.finished","service":"getin-poll","eventId":7,"ok":true}',
    'poll.finished eventId=7 ok=true',
  ],
  [
    'an error to its level too',
    '{"level":"ERROR","message":"request.failed"}',
    'ERROR request.failed',
  ],
  ['plain text to itself', 'Error: nothing', 'Error: nothing'],
])('shortens %s', (_, line, expected) => {
  expect(shortenLogLine(line)).toBe(expected);
});
