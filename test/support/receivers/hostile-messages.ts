// Asks the readers of each kind of channel whether a name from the market became more than its characters.
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Outgoing } from '#shared/delivery/channels/channel-kind.ts';
import { httpFormOf } from '#shared/delivery/channels/channels.ts';
import { composeMessage } from '#shared/delivery/message/message.ts';
import { alertsMessage } from '#shared/delivery/message/message-kinds.ts';
import { aListingAlert, anAlert, firedAt, reading, stopUrl } from '../alerts.ts';
import { hostileText } from '../hostile-text.ts';
import { receiverPlaces } from './places.ts';
import type { Mark, ShownMessage } from './shown-text.ts';

export type ReceiverKind = keyof typeof receiverPlaces;

export const receiverKinds = Object.keys(receiverPlaces) as ReceiverKind[];

/** What is sent: one alert, a digest, or the form after a refusal. */
export const messageForms = [
  ['one alert', { alerts: 1, isPlainer: false }],
  ['a digest', { alerts: 4, isPlainer: false }],
  ['the plainer form', { alerts: 1, isPlainer: true }],
] as const;

/** Five names in each message. */
export const namesPerMessage = 5;

interface Names {
  event: string;
  venue: string;
  zone: string;
  section: string;
  sentence: string;
}

const harmless: Names = {
  event: 'Knicks at Heat',
  venue: 'Kaseya Center',
  zone: 'Lower Bowl',
  section: '101',
  sentence: 'Get-in at or below $80',
};

/** A message of as many alerts; every second one is about listings. */
function messageOf({ event, venue, zone, section, sentence }: Names, count: number): Outgoing {
  const told = Array.from({ length: count }, (_, index) => {
    const listing = aListingAlert(2);
    const named = {
      eventName: event,
      venueName: venue,
      sentence,
      watchName: event,
      watchTags: [zone],
      eventId: index,
    };
    const alert =
      index % 2 === 0
        ? anAlert({
            ...named,
            series: `stats/get_in/zone=${encodeURIComponent(zone.toWellFormed())}`,
          })
        : {
            ...listing,
            ...named,
            listings: listing.listings.map((row) => ({ ...row, section, zone })),
          };
    return { alert, message: composeMessage(alert, reading) };
  });
  const message = alertsMessage(
    told.map((one) => one.message),
    { stopUrl },
  );
  return { deliveryId: 'dlv_1', dueAt: firedAt, message, told, heldFor: undefined };
}

/** What a reader sees of a message; throws if the receiver refuses it. */
function shownBy(
  kind: keyof typeof receiverPlaces,
  outgoing: Outgoing,
  isPlainer: boolean,
): ShownMessage {
  const { receiver, target } = receiverPlaces[kind]();
  const form = httpFormOf(target);
  const request = form.request(outgoing, target, firedAt);
  const plainer = isPlainer ? form.plainerBody?.(outgoing.message, target) : undefined;
  const answer = receiver.answer({ ...request, ...(plainer && { body: plainer }) }, firedAt);
  const [shown] = receiver.messages;
  expect(form.judge(answer, firedAt).kind, answer.excerpt).toBe('sent');
  if (!shown) throw new Error(`${kind} shows nothing`);
  return shown;
}

const outline = (marks: readonly Mark[]) => marks.map(({ kind, url }) => [kind, url]);

/**
 * Whatever the names in a message, its readers see the links, mentions, emoji and styles that they see with
 * harmless names, and no others.
 */
export function expectNoMarkupOfNames(
  kind: ReceiverKind,
  { alerts, isPlainer }: { alerts: number; isPlainer: boolean },
  numRuns: number,
): void {
  const expected = shownBy(kind, messageOf(harmless, alerts), isPlainer);
  const names = fc.record({
    ...{ event: hostileText, venue: hostileText, zone: hostileText },
    ...{ section: hostileText, sentence: hostileText },
  });
  fc.assert(
    fc.property(names, (given) => {
      const shown = shownBy(kind, messageOf(given, alerts), isPlainer);
      expect(outline(shown.marks)).toEqual(outline(expected.marks));
      expect(outline(shown.notification.marks)).toEqual(outline(expected.notification.marks));
    }),
    { numRuns },
  );
}
