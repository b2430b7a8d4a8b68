// The messages that have a golden file for each kind of channel: the samples, one with a picture, and names from
// the market that look like markup.
import type { Outgoing } from '#shared/delivery/channels/channel-kind.ts';
import { aListingAlert, anAlert, hostileNames, reading, stopUrl } from './alerts.ts';
import { outgoingOf, sampleOutgoing } from './messages.ts';

const chart = {
  url: `${stopUrl}/chart.png`,
  darkUrl: `${stopUrl}/chart.png?dark`,
  alt: 'Get-in of Lower Bowl from $90 to $74 in a week, under your level of $80',
};

const named = (index: number) => hostileNames[index % hostileNames.length] ?? '';

/** An alert whose every text from outside is one of the hostile names, each time another. */
function hostileAlert(first: number) {
  const names = {
    ...{ eventName: named(first), venueName: named(first + 1), venueCity: named(first + 2) },
    ...{ sentence: named(first + 3), watchName: named(first + 4), watchTags: [named(first + 5)] },
    ...{ alertId: `alt_${first}`, eventId: first },
  };
  if (first % 2 === 0) {
    const zone = encodeURIComponent(named(first + 6).toWellFormed());
    return anAlert({ ...names, series: `stats/get_in/zone=${zone}` });
  }
  const { listings, ...listing } = aListingAlert(3);
  const seats = { zone: named(first + 6), section: named(first + 7), row: named(first + 8) };
  return { ...listing, ...names, listings: listings.map((row) => ({ ...row, ...seats })) };
}

export const goldenOutgoing: Record<string, Outgoing> = {
  ...sampleOutgoing,
  chart: outgoingOf({
    alerts: [anAlert()],
    readBy: {
      ...reading,
      extrasOf: (alert) => ({ ...reading.extrasOf(alert), chart }),
    },
  }),
  hostile: outgoingOf({ alerts: [hostileAlert(8)] }),
  'hostile-listing': outgoingOf({ alerts: [hostileAlert(1)] }),
  'hostile-digest': outgoingOf({
    alerts: hostileNames.map((_, index) => hostileAlert(index)),
    heldFor: 'digest',
  }),
};
