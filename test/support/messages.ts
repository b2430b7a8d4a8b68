// Messages for renderer tests, composed as the product composes them.
import { recapOf } from '#functions/reconcile/recap-text.ts';
import type { Alert } from '#shared/alerts/alert.ts';
import type { Outgoing } from '#shared/delivery/channels/channel-kind.ts';
import {
  composeMessage,
  type Message,
  type ReaderContext,
} from '#shared/delivery/message/message.ts';
import {
  alertsMessage,
  confirmationMessage,
  type HoldReason,
  noticeMessage,
  testMessage,
  troubleNotice,
} from '#shared/delivery/message/message-kinds.ts';
import { movementsByAlert } from '#shared/delivery/message/price-movement.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import { aListingAlert, anAlert, firedAt, reading, stopUrl } from './alerts.ts';

/** A message with the same hostile text as event, venue, zone and sentence. */
export function messageNaming(name: string, count = 1): Message {
  const alert = anAlert({
    eventName: name,
    venueName: name,
    sentence: name,
    series: `stats/get_in/zone=${encodeURIComponent(name.toWellFormed())}`,
    listings: aListingAlert(20).listings.map((listing) => ({
      ...listing,
      zone: name,
      section: name,
    })),
  });
  const told = Array.from({ length: count }, () => composeMessage(alert, reading));
  return alertsMessage(told, { stopUrl });
}

interface Sample {
  alerts?: Alert[];
  moves?: ReturnType<typeof movementsByAlert>;
  heldFor?: HoldReason;
  /** @default in New York, with made-up links */
  readBy?: ReaderContext;
}

/** A message about alerts with their facts, as a sender passes it to a channel form. */
export function outgoingOf({ alerts = [], moves, heldFor, readBy = reading }: Sample): Outgoing {
  const told = alerts.map((alert) => ({
    alert,
    message: composeMessage(alert, readBy, moves?.get(alert.alertId)),
  }));
  const held = heldFor && { reason: heldFor, since: 'Mar 1, 1:02 AM EST' };
  const messages = told.map(({ message }) => message);
  return { ...about(alertsMessage(messages, { held, stopUrl })), told, heldFor };
}

/** A message that contains no alert. */
function about(message: Message): Outgoing {
  return { deliveryId: 'dlv_1', dueAt: firedAt, message, told: [], heldFor: undefined };
}

const earlierOnes = [7_900, 7_000, 7_400].map((base, index) =>
  anAlert({ alertId: `alt_${index}`, base, observedAt: firedAt - (3 - index) * 600_000 }),
);
const moved = anAlert({ alertId: 'alt_moved' });
const lastMoves = movementsByAlert(earlierOnes, earlierOnes).get('alt_2');
const recovery = anAlert({
  ...{ alertId: 'alt_00000000000000000000000000000001_1_r', role: 'recovery' },
  sentence: 'Get-in of Lower Bowl at or below $80; also when it went back after an alert',
  ...{ value: 8_500, base: 8_500, withFee: 8_500, previousBase: 7_400 },
  earlierAt: firedAt - 42 * 60_000,
});
const inMagic = anAlert({
  watchId: 'wat_00000000000000000000000000000002',
  ...{ eventId: 4712, eventName: 'Nets at Magic' },
  series: 'stats/get_in',
});

const watched: Watch = {
  watchId: inMagic.watchId,
  ...{ ownerId: inMagic.ownerId, eventId: 4711, name: 'Finals', channelIds: [], status: 'ended' },
  rules: [
    {
      ruleId: inMagic.ruleId,
      rule: { type: 'level', metric: 'get_in', zone: 'Lower Bowl', at_or_below: 80 },
      triggerIds: [],
    },
  ],
  ...{ latencySeconds: 3_600, version: 2 },
  ...{ createdAt: '2026-02-20T00:00:00.000Z', updatedAt: '2026-03-02T00:00:00.000Z' },
  bought: { at: firedAt, alertId: inMagic.alertId, paidCents: 7_600, statusBefore: 'active' },
};
const recap = recapOf({
  facts: {
    ...{ eventId: 4711, name: 'Knicks at Heat', date: '2026-03-07', time: '19:30' },
    updatedAt: firedAt,
  },
  record: {
    ...{ firstCents: 16_400, firstAt: Date.parse('2026-02-20T19:00:00Z') },
    ...{ lowCents: 7_000, lowAt: Date.parse('2026-03-05T19:41:00Z') },
    ...{ lastCents: 13_100, lastAt: Date.parse('2026-03-07T23:00:00Z') },
  },
  ...{ watches: [watched], alerts: [anAlert()], micropulls: 12_500_000 },
  timeZone: 'America/New_York',
});

/** One message of each kind, by the name of its golden file, with the facts for machines. */
export const sampleOutgoing: Record<string, Outgoing> = {
  level: outgoingOf({ alerts: [anAlert()] }),
  listing: outgoingOf({ alerts: [aListingAlert()] }),
  held: outgoingOf({ alerts: [anAlert()], heldFor: 'quiet_hours' }),
  digest: outgoingOf({
    alerts: [moved, aListingAlert(), inMagic],
    moves: new Map(lastMoves && [['alt_moved', lastMoves]]),
    heldFor: 'digest',
  }),
  recovery: outgoingOf({ alerts: [recovery] }),
  'digest-recovery': outgoingOf({
    alerts: [recovery, inMagic],
    heldFor: 'quiet_hours',
  }),
  notice: about(
    noticeMessage(
      troubleNotice({
        channel: 'slack channel hooks.slack.com',
        percent: 70,
        reason: 'http_500',
        failingForMs: 3.5 * 86_400_000,
      }),
      stopUrl,
    ),
  ),
  switched_off: about(
    noticeMessage(
      troubleNotice({
        channel: 'webhook channel example.com',
        percent: 100,
        reason: 'http_410',
        failingForMs: 0,
      }),
      stopUrl,
    ),
  ),
  recap: about(noticeMessage({ headline: recap.title, paragraphs: recap.paragraphs }, stopUrl)),
  test: about(testMessage(stopUrl)),
  confirmation: about(confirmationMessage('https://getin.example/l/confirm-token')),
};

/** Only the messages. */
export const sampleMessages: Record<string, Message> = Object.fromEntries(
  Object.entries(sampleOutgoing).map(([name, { message }]) => [name, message]),
);
