// A realistic alert for tests; each test changes the parts that matter to it.
import type { Alert } from '#shared/alerts/alert.ts';
import type { ReaderContext } from '#shared/delivery/message/message.ts';

export const firedAt = Date.parse('2026-03-01T12:02:00Z');

/** Knicks at Heat, Lower Bowl: the get-in fell from yesterday's $90 to $74, the level was $80. */
export function anAlert(changes: Partial<Alert> = {}): Alert {
  return {
    alertId: 'alt_00000000000000000000000000000001_1',
    ownerId: 'own_00000000000000000000000000000abc',
    watchId: 'wat_00000000000000000000000000000001',
    ruleId: 'rul_00000000000000000000000000000001',
    triggerId: 'trg_00000000000000000000000000000001',
    eventId: 4711,
    eventName: 'Knicks at Heat',
    eventDate: '2026-03-07',
    eventTime: '19:30',
    venueName: 'Kaseya Center',
    venueCity: 'Miami',
    series: 'stats/get_in/zone=Lower%20Bowl',
    direction: 'down',
    role: 'main',
    sentence: 'Get-in of Lower Bowl at or below $80',
    value: 7_400,
    level: 8_000,
    askedLevel: 8_000,
    base: 7_400,
    baseline: null,
    previousBase: 9_000,
    earlierAt: Date.parse('2026-02-28T19:00:00Z'),
    isFromNone: false,
    feeBps: 0,
    withFee: 7_400,
    listings: [],
    alreadyTrue: false,
    isUrgent: false,
    channelIds: ['ch_00000000000000000000000000000abc'],
    observedAt: firedAt - 60_000,
    firedAt,
    ...changes,
  };
}

/** A listing alert with named listings. */
export function aListingAlert(count = 3): Alert {
  return anAlert({
    series: 'listings/new_cheapest/min_quantity=2;sections=101-105',
    sentence: 'A new cheapest listing in section 101-105, 2 or more together, at or below $150',
    value: 12_000,
    level: 15_000,
    askedLevel: 15_000,
    base: 12_000,
    withFee: 12_000,
    previousBase: null,
    listings: Array.from({ length: count }, (_, index) => ({
      key: `${index}@2026-03-01`,
      zone: 'Lower Bowl',
      section: `10${1 + (index % 5)}`,
      row: String.fromCharCode(65 + (index % 26)),
      quantity: 2 + (index % 3),
      priceCents: 12_000 + index * 550,
    })),
  });
}

export const stopUrl = 'https://getin.example/l/token';

/** Read by its owner in New York, half a minute after it fired. */
export const reading = {
  now: firedAt + 30_000,
  timeZone: 'America/New_York',
  extrasOf: ({ alertId }) => ({
    pageUrl: `${stopUrl}/${alertId}`,
    chart: undefined,
    sparkline: '▇▅▃▁',
    links: [
      { kind: 'tickets', label: 'See tickets', url: 'https://www.ticketmaster.com/event/G5' },
      { kind: 'open', label: 'Open in Getin', url: `${stopUrl}/${alertId}` },
      { kind: 'act', label: 'Bought it', url: `${stopUrl}/${alertId}?do=bought` },
      { kind: 'act', label: 'Level to $76', url: `${stopUrl}/${alertId}?do=level_down` },
    ],
  }),
} satisfies ReaderContext;

/** Names that could be parsed as markup: each must appear as plain text. */
export const hostileNames = [
  '<https://evil.example|Tickets here>',
  '<!channel> Cup Final',
  '<@U123>',
  'AC/DC & *Friends* _live_ ~x~',
  'A\n>quoted',
  'Sold | Out',
  '@everyone presale',
  '<@&123>',
  '**bold** ||spoiler|| [x](https://evil.example)',
  '# Heading',
  'Cup\r\nBcc: a@evil.example',
  'Line\u2028separator',
  '<a href="https://evil.example">Reset password</a>',
  '"><img src=x>',
  '{{secret}} #{secret} <%= secret %>',
  '</td></table></body>',
  'Derby\u202E',
  '\u2066Arena',
  'Zone\u200B\uFEFF1',
  'מכבי תל אביב',
  'الأهلي ضد الزمالك',
  '😀👨‍👩‍👧‍👦🇬🇧é ﷺ',
  'lone \uD83D surrogate',
  'x'.repeat(5_000),
  '&'.repeat(5_000),
  '👨‍👩‍👧‍👦'.repeat(1_000),
  `${'e\u0301'.repeat(2_500)}`,
  '"'.repeat(5_000),
  '\\'.repeat(5_000),
] as const;
