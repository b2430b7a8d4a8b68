// Messages that a template of webhook bodies is checked and shown with: one of each kind, made as the product makes
// them, with the values that most often break a template.
import type { Alert } from '#shared/alerts/alert.ts';
import {
  type AlertExtras,
  composeMessage,
  type Message,
} from '#shared/delivery/message/message.ts';
import {
  alertsMessage,
  type HoldReason,
  noticeMessage,
  testMessage,
} from '#shared/delivery/message/message-kinds.ts';
import type { TellableMessage } from '#shared/delivery/message/webhook-body.ts';

/** The time of the samples: a Sunday in March 2026. */
export const sampleTime = Date.parse('2026-03-01T12:02:00Z');

export const sampleNames = [
  'alert',
  'new_listing',
  'several',
  'recovery',
  'no_data',
  'nulls',
  'hostile',
  'many',
  'test',
  'notice',
] as const;
export type SampleName = (typeof sampleNames)[number];

const stopUrl = 'https://getin.example/l/TOKEN';
const minuteMs = 60_000;

/** Knicks at Heat, Lower Bowl: the get-in fell from $90 to $74, the level was $80. */
const level: Alert = {
  alertId: 'alt_sample1_1',
  ownerId: 'own_sample',
  watchId: 'wat_sample',
  watchName: 'Heat',
  ruleId: 'rul_sample',
  triggerId: 'trg_sample',
  ...{ eventId: 4711, eventName: 'Knicks at Heat', eventDate: '2026-03-07', eventTime: '19:30' },
  ...{ venueName: 'Kaseya Center', venueCity: 'Miami' },
  ...{ series: 'stats/get_in/zone=Lower%20Bowl', direction: 'down', role: 'main' },
  sentence: 'Get-in of Lower Bowl at or below $80',
  ...{ value: 7_400, level: 8_000, askedLevel: 8_000, base: 7_400, baseline: null },
  ...{ previousBase: 9_000, earlierAt: sampleTime - 42 * minuteMs, coveredMs: 24 * 60 * minuteMs },
  ...{ isFromNone: false, feeBps: 0, withFee: 7_400, listings: [] },
  ...{ alreadyTrue: false, isUrgent: true, channelIds: [] },
  ...{ observedAt: sampleTime - minuteMs, firedAt: sampleTime },
};

/** A new cheapest listing. */
const newListing: Alert = {
  ...level,
  alertId: 'alt_sample2_1',
  series: 'listings/new_cheapest/min_quantity=2;sections=101-105',
  sentence: 'A new cheapest listing in section 101-105, 2 or more together, at or below $150',
  ...{ value: 12_000, level: 15_000, askedLevel: 15_000, base: 12_000, withFee: 12_000 },
  ...{ previousBase: null, earlierAt: undefined, coveredMs: undefined, isUrgent: false },
  listings: ['101', '104'].map((section, index) => ({
    ...{ key: `${index}`, zone: 'Lower Bowl', section, row: 'C', quantity: 2 },
    priceCents: 12_000 + index * 550,
  })),
};

const recovery: Alert = {
  ...level,
  ...{ alertId: `${level.alertId}_r`, role: 'recovery', isUrgent: false },
  ...{ value: 8_850, base: 8_850, withFee: 8_850, previousBase: 7_400 },
};

const noData: Alert = {
  ...level,
  ...{ alertId: 'alt_sample3_1', role: 'no_data' },
  ...{ series: 'stats/get_in/missing', direction: 'up', value: 1, base: 1, askedLevel: null },
  sentence: 'Get-in missing',
};

/** Everything that may be null is null. */
const nulls: Alert = {
  ...noData,
  ...{ watchName: undefined, eventDate: undefined, eventTime: undefined, venueName: undefined },
  ...{ venueCity: undefined, previousBase: null, earlierAt: undefined, coveredMs: undefined },
};

const hostileName = 'A "quoted" \\ name\n</script>{{headline}}&=#%\u2028☃😀';
const hostile: Alert = {
  ...newListing,
  ...{ eventName: hostileName, venueName: hostileName, venueCity: hostileName },
  ...{ sentence: hostileName, watchName: hostileName },
  listings: newListing.listings.map((each) => ({ ...each, zone: hostileName, row: hostileName })),
};

function many(): Alert[] {
  return Array.from({ length: 60 }, (_, index) => ({
    ...level,
    alertId: `alt_many${index}_1`,
    eventName: 'A long name '.repeat(20),
  }));
}

const shop: AlertExtras = {
  links: [{ kind: 'tickets', label: 'See tickets', url: 'https://shop.example/4711' }],
  pageUrl: `${stopUrl}?alert`,
  chart: {
    url: 'https://getin.example/c/TOKEN.png',
    ...{ darkUrl: 'https://getin.example/c/TOKEN.png?theme=dark', alt: 'A falling price' },
  },
  sparkline: '',
};

const moves = {
  ...{ times: 3, lowest: 7_000, highest: 7_900, last: 7_400 },
  text: 'Moved 3 times',
};

/** A message about alerts, as a sender has it. */
export function tellable(
  alerts: readonly Alert[],
  { heldFor, timeZone = 'UTC' }: { heldFor?: HoldReason; timeZone?: string } = {},
): TellableMessage {
  const told = alerts.map((alert) => ({
    alert,
    message: composeMessage(
      alert,
      { ...{ now: sampleTime, timeZone }, extrasOf: alert === nulls ? undefined : () => shop },
      alert === level ? moves : undefined,
    ),
  }));
  const held = heldFor && { reason: heldFor, since: 'Mar 1, 6:00 AM UTC' };
  const words = told.map(({ message }) => message);
  return { ...about(alertsMessage(words, { held, stopUrl })), told, heldFor };
}

function about(message: Message): TellableMessage {
  const deliveryId = 'dlv_sample';
  return { deliveryId, dueAt: sampleTime, message, told: [], heldFor: undefined };
}

const notice = {
  headline: 'Polling of Knicks at Heat has stopped',
  paragraphs: ['The marketplace does not know the event at present.', 'Nothing is lost.'],
};

/** The samples, by name. */
export function sampleMessages(): Record<SampleName, TellableMessage> {
  return {
    alert: tellable([level]),
    new_listing: tellable([newListing]),
    several: tellable([level, newListing, recovery], { heldFor: 'digest' }),
    recovery: tellable([recovery]),
    no_data: tellable([noData]),
    nulls: tellable([nulls]),
    hostile: tellable([hostile]),
    many: tellable(many()),
    test: about(testMessage(stopUrl)),
    notice: about(noticeMessage(notice, stopUrl)),
  };
}
