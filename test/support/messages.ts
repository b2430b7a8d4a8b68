// Messages for renderers' tests, composed as the product composes them.
import { composeMessage, type Message } from '#shared/delivery/message/message.ts';
import {
  alertsMessage,
  confirmationMessage,
  noticeMessage,
  testMessage,
  troubleNotice,
} from '#shared/delivery/message/message-kinds.ts';
import { movesByAlert } from '#shared/delivery/message/moves.ts';
import { aListingAlert, anAlert, firedAt, reading, stopUrl } from './alerts.ts';

/** A message whose event, venue, zone and sentence are all the same hostile text. */
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

const sample = composeMessage(anAlert(), reading);
const earlierOnes = [7_900, 7_000, 7_400].map((base, index) =>
  anAlert({ alertId: `alt_${index}`, base, observedAt: firedAt - (3 - index) * 600_000 }),
);
const moved = composeMessage(
  anAlert(),
  reading,
  movesByAlert(earlierOnes, earlierOnes).get('alt_2'),
);

/** One of each kind, by the name of its golden file. */
export const sampleMessages: Record<string, Message> = {
  level: alertsMessage([sample], { stopUrl }),
  listing: alertsMessage([composeMessage(aListingAlert(), reading)], { stopUrl }),
  held: alertsMessage([sample], {
    held: { reason: 'quiet_hours', forMs: 6 * 3_600_000 },
    stopUrl,
  }),
  digest: alertsMessage(
    [
      moved,
      composeMessage(aListingAlert(), reading),
      composeMessage(
        anAlert({
          watchId: 'wat_00000000000000000000000000000002',
          eventName: 'Nets at Magic',
          series: 'stats/get_in',
        }),
        reading,
      ),
    ],
    { held: { reason: 'digest', forMs: 3_600_000 }, stopUrl },
  ),
  notice: noticeMessage(
    troubleNotice({
      channel: 'slack channel hooks.slack.com',
      percent: 70,
      reason: 'http_500',
      failingForMs: 3.5 * 86_400_000,
    }),
    stopUrl,
  ),
  switched_off: noticeMessage(
    troubleNotice({
      channel: 'webhook channel example.com',
      percent: 100,
      reason: 'http_410',
      failingForMs: 0,
    }),
    stopUrl,
  ),
  test: testMessage(stopUrl),
  confirmation: confirmationMessage('https://getin.example/l/confirm-token'),
};
