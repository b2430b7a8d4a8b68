// What an alert says, for every form of rule.
import { describe, expect, it } from 'vitest';
import type { Alert } from '#shared/alerts/alert.ts';
import { afterLead } from '#shared/delivery/message/digest-line.ts';
import {
  composeMessage,
  eventGroups,
  factsOf,
  whenAndWhere,
} from '#shared/delivery/message/message.ts';
import { alertsMessage, troubleNotice } from '#shared/delivery/message/message-kinds.ts';
import {
  aListingAlert,
  anAlert,
  firedAt,
  hostileNames,
  reading,
  stopUrl,
} from '#test/support/alerts.ts';

const toldOf = (changes: Partial<Alert>) => {
  const { headline, detail } = composeMessage(anAlert(changes), reading);
  return { headline, detail };
};

const wholeEvent = { series: 'stats/get_in' };
const drop = {
  series: 'stats/get_in/drop_pct:high:24h',
  askedLevel: null,
  sentence: 'Get-in drops by 15% from the high of the last 24 hours',
  direction: 'up' as const,
};

describe('the headline', () => {
  it.each<[string, Partial<Alert>, string, string]>([
    [
      'a level of a zone',
      {},
      '$74 ▼ 18%: Knicks at Heat, Lower Bowl · under your $80',
      '▼ 18% from $90 since Feb 28, 2:00 PM EST, under your $80',
    ],
    [
      'a level of the whole event',
      wholeEvent,
      '$74 ▼ 18%: Knicks at Heat · under your $80',
      '▼ 18% from $90 since Feb 28, 2:00 PM EST, under your $80',
    ],
    [
      'cents where there are any',
      { base: 7_450, previousBase: 9_001 },
      '$74.50 ▼ 17%: Knicks at Heat, Lower Bowl · under your $80',
      '▼ 17% from $90.01 since Feb 28, 2:00 PM EST, under your $80',
    ],
    [
      'thousands',
      { base: 123_456, previousBase: null, askedLevel: 150_000 },
      '$1,234.56: Knicks at Heat, Lower Bowl · under your $1,500',
      'under your $1,500',
    ],
    [
      'a small change with a decimal',
      { base: 8_700, previousBase: 9_000 },
      '$87 ▼ 3.3%: Knicks at Heat, Lower Bowl · under your $80',
      '▼ 3.3% from $90 since Feb 28, 2:00 PM EST, under your $80',
    ],
    [
      'a rule that was true already',
      { previousBase: null, alreadyTrue: true },
      '$74: Knicks at Heat, Lower Bowl · under your $80, already so when the rule was made',
      'under your $80, already so when the rule was made',
    ],
    [
      'a change from a window',
      { ...drop, baseline: 10_000, previousBase: 8_000 },
      '$74 ▼ 26%: Knicks at Heat · from the high of the last 24 hours, $100',
      '▼ 26% from the high of the last 24 hours, $100',
    ],
    [
      'a change from the snapshot before',
      { ...drop, series: 'stats/get_in/rise_pct:previous', baseline: 6_000 },
      '$74 ▲ 23%: Knicks at Heat',
      '▲ 23% from $60 since Feb 28, 2:00 PM EST',
    ],
    [
      'a new low',
      {
        ...drop,
        series: 'stats/get_in/below_low:7d',
        baseline: 8_000,
        sentence: 'Get-in at a new low within 7 days',
      },
      '$74 ▼ new low: Knicks at Heat · within 7 days, $6 below the one before ($80)',
      'a new low within 7 days, $6 below the one before ($80)',
    ],
    [
      'a new low in a window that is not covered',
      {
        ...drop,
        series: 'stats/get_in/below_low:7d',
        baseline: 8_000,
        coveredMs: 26.9 * 3_600_000,
        sentence: 'Get-in at a new low within 7 days',
      },
      '$74 ▼ new low: Knicks at Heat · within the 26 hours watched, $6 below the one before ($80)',
      'a new low within the 26 hours watched, $6 below the one before ($80)',
    ],
    [
      'a new low in a window that is covered but for a gap between snapshots',
      { ...drop, series: 'stats/get_in/below_low:7d', baseline: 8_000, coveredMs: 163 * 3_600_000 },
      '$74 ▼ new low: Knicks at Heat · within 7 days, $6 below the one before ($80)',
      'a new low within 7 days, $6 below the one before ($80)',
    ],
    [
      'a change from a window that is not covered',
      { ...drop, baseline: 10_000, coveredMs: 13 * 3_600_000 },
      '$74 ▼ 26%: Knicks at Heat · from the high of the 13 hours watched, $100',
      '▼ 26% from the high of the 13 hours watched, $100',
    ],
    [
      'the highest of all that was watched',
      {
        ...drop,
        series: 'stats/get_in/above_high:ever',
        baseline: 7_000,
        coveredMs: 40.5 * 86_400_000,
      },
      '$74 ▲ new high: Knicks at Heat · the highest of the 40 days watched, $4 above the one before ($70)',
      'the highest of the 40 days watched, $4 above the one before ($70)',
    ],
    [
      'a price of one listing far under the rest',
      { loneListing: { confirmations: 1 } },
      '$74 ▼ 18%, one listing: Knicks at Heat, Lower Bowl · under your $80',
      '▼ 18% from $90 since Feb 28, 2:00 PM EST, under your $80',
    ],
    [
      'a new low of one listing far under the rest',
      {
        ...drop,
        series: 'stats/get_in/below_low:7d',
        baseline: 8_000,
        loneListing: { confirmations: 1 },
      },
      '$74 ▼ new low, one listing: Knicks at Heat · within 7 days, $6 below the one before ($80)',
      'a new low within 7 days, $6 below the one before ($80)',
    ],
    [
      'the highest ever',
      {
        ...drop,
        series: 'stats/get_in/above_high:ever',
        base: 9_900,
        baseline: 8_000,
        sentence: 'Get-in at a new high ever',
      },
      '$99 ▲ new high: Knicks at Heat · the highest ever seen, $19 above the one before ($80)',
      'the highest ever seen, $19 above the one before ($80)',
    ],
    [
      'supply at a level',
      {
        series: 'stats/total_listings_active',
        base: 1_018,
        previousBase: 1_030,
        askedLevel: 1_020,
      },
      '1,018 active listings ▼ 12: Knicks at Heat · under your 1,020',
      '▼ 12 from 1,030 since Feb 28, 2:00 PM EST, under your 1,020',
    ],
    [
      'a drop of supply in percent',
      {
        ...drop,
        series: 'stats/total_listings_active/drop_pct:high:24h',
        base: 90,
        baseline: 120,
        sentence: 'Active listings drops by 20% from the high of the last 24 hours',
      },
      '90 active listings ▼ 25%: Knicks at Heat · from the high of the last 24 hours, 120',
      '▼ 25% from the high of the last 24 hours, 120',
    ],
    [
      'listings that match a filter',
      {
        series: 'listings/count/min_quantity=2;rows=A-K;sections=101-105,CLUB*;zones=Lower%20Bowl',
        base: 2,
        previousBase: 3,
        askedLevel: 2,
      },
      '2 matching listings ▼ 1: Knicks at Heat, Lower Bowl, section 101-105, CLUB*, row A-K, 2 or more together · at your 2',
      '▼ 1 from 3 since Feb 28, 2:00 PM EST, at your 2',
    ],
    [
      'supply from none',
      {
        series: 'stats/total_listings_active',
        direction: 'up',
        base: 3,
        previousBase: 0,
        askedLevel: null,
        isFromNone: true,
        sentence: 'The first listing appears',
      },
      '3 active listings ▲ from none: Knicks at Heat',
      '▲ from none since Feb 28, 2:00 PM EST',
    ],
    [
      'sold out',
      {
        series: 'stats/total_listings_active',
        base: 0,
        previousBase: 1,
        askedLevel: null,
        sentence: 'The last listing is gone',
      },
      'Sold out: Knicks at Heat · no listing is left',
      'no listing is left',
    ],
    [
      'a zone that sold out',
      {
        series: 'stats/present/zone=Lower%20Bowl',
        base: 0,
        askedLevel: null,
        sentence: 'The last listing in Lower Bowl is gone',
      },
      'Sold out: Knicks at Heat, Lower Bowl · the last listing is gone',
      'the last listing is gone',
    ],
    [
      'a fill rate',
      { series: 'stats/listing_fill_rate', base: 6_150, previousBase: 5_900, askedLevel: 6_000 },
      '61.5% fill rate ▲ 2.5 points: Knicks at Heat · over your 60%',
      '▲ 2.5 points from 59% since Feb 28, 2:00 PM EST, over your 60%',
    ],
    [
      'a price with a fee, both numbers',
      { base: 18_000, withFee: 24_300, feeBps: 3_500, previousBase: 19_000, askedLevel: 24_300 },
      '$180 ▼ 5.3%: Knicks at Heat, Lower Bowl · at your $243',
      '▼ 5.3% from $190 since Feb 28, 2:00 PM EST, $243 with your 35% fee, at your $243',
    ],
    [
      'a further step',
      { role: 'further', baseline: 8_000, askedLevel: 8_000 },
      '$74 ▼ 7.5% further: Knicks at Heat, Lower Bowl',
      '▼ 7.5% further from $80 since Feb 28, 2:00 PM EST',
    ],
    [
      'no data',
      { role: 'no_data', series: 'stats/get_in/zone=Lower%20Bowl/missing', base: 1, value: 1 },
      'No get-in: Knicks at Heat, Lower Bowl · nothing is for sale there (was $90)',
      'nothing is for sale there (was $90)',
    ],
  ])('tells of %s', (_form, changes, headline, detail) => {
    expect(toldOf(changes)).toEqual({ headline, detail });
  });

  it('names the cheapest listing, and the rest below it', () => {
    const message = composeMessage(aListingAlert(), reading);
    expect(message.headline).toBe(
      '$120 listing: Knicks at Heat · section 101, row A, 2 tickets, under your $150',
    );
    expect(message.listings).toEqual([
      '$120 · section 101, row A, 2 tickets, Lower Bowl',
      '$125.50 · section 102, row B, 3 tickets, Lower Bowl',
      '$131 · section 103, row C, 4 tickets, Lower Bowl',
    ]);
  });

  it('leaves out section and row where the marketplace names none (A16)', () => {
    const [listing] = aListingAlert(1).listings;
    if (!listing) throw new Error('a listing alert has a listing');
    const alert = aListingAlert();
    const nameless = { ...listing, section: '', row: ' ', zone: '' };
    const message = composeMessage({ ...alert, listings: [nameless] }, reading);
    expect(message.listings).toEqual(['$120 · 2 tickets']);
    expect(message.headline).toBe('$120 listing: Knicks at Heat · 2 tickets, under your $150');
  });

  it('leaves out since when, for an alert from before that was kept', () => {
    const { earlierAt: _unknown, ...old } = anAlert();
    const message = composeMessage(old, reading);
    expect(message.detail).toBe('▼ 18% from $90, under your $80');
    expect(message.previousValue).toBe('$90');
    expect(message.previousSeen).toBeUndefined();
  });

  it('ends with the time of an alert that was seen more than six hours ago', () => {
    const late = { ...reading, now: firedAt + 7 * 3_600_000 };
    expect(composeMessage(anAlert(), late).headline).toBe(
      '$74 ▼ 18%: Knicks at Heat, Lower Bowl · under your $80 · seen Mar 1, 7:01 AM EST',
    );
  });

  it('tells the fee in the percent that was used (A12)', () => {
    const withFee = { base: 7_400, withFee: 8_769, feeBps: 1_850, askedLevel: 9_000 };
    expect(toldOf(withFee).detail).toBe(
      '▼ 18% from $90 since Feb 28, 2:00 PM EST, $87.69 with your 18.5% fee, under your $90',
    );
  });

  it('names an event without a visible name by its id (A21)', () => {
    const { event } = composeMessage(anAlert({ eventName: '\u200B\u2060\u3164' }), reading);
    expect(event.name).toBe('Event 4711');
  });
});

describe('the text of a push (A2)', () => {
  it.each<[string, Partial<Alert>, string]>([
    ['a level', {}, '$74 ▼ 18% Knicks at Heat, Lower Bowl'],
    [
      'a long name, cut',
      { eventName: 'Cleveland Cavaliers at New York Knicks' },
      '$74 ▼ 18% Cleveland Cavaliers at New Yo…',
    ],
    [
      'a number that went back',
      { role: 'recovery', base: 8_500, withFee: 8_500, previousBase: 7_400 },
      '$85 ▲ went back Knicks at Heat, Lower B…',
    ],
  ])('says price, direction and event of %s', (_what, changes, push) => {
    expect(composeMessage(anAlert(changes), reading).push).toBe(push);
  });

  it('never has more than 40 characters, and always the price and the start of the event', () => {
    for (const eventName of hostileNames) {
      const message = composeMessage(anAlert({ eventName }), reading);
      expect(message.push.length).toBeLessThanOrEqual(40);
      expect(message.push.startsWith('$74 ▼ 18% ')).toBe(true);
      expect(message.headline.slice(0, 12)).toBe(`$74 ▼ 18%: ${message.event.name.slice(0, 1)}`);
    }
  });
});

describe('the facts', () => {
  it('give the values before, the times, the rule and the watch, and none of the event', () => {
    const alert = anAlert({ watchName: 'Finals, lower bowl', watchTags: ['knicks', 'east'] });
    expect(factsOf(composeMessage(alert, reading))).toEqual([
      ['Seen', 'Mar 1, 7:01 AM EST, by us 60 sec later'],
      ['Your rule', 'Get-in of Lower Bowl at or below $80'],
      ['Watch', '“Finals, lower bowl” #knicks #east'],
    ]);
  });

  it('give the value before where the words of the change don’t', () => {
    const message = composeMessage(anAlert({ base: 9_000, withFee: 9_000 }), reading);
    expect(message.detail).toBe('over your $80');
    expect(factsOf(message)[0]).toEqual(['Before', '$90 (Feb 28, 2:00 PM EST)']);
  });

  it('leave out what is not known', () => {
    const { eventDate: _d, eventTime: _t, venueName: _v, venueCity: _c, ...rest } = anAlert();
    const message = composeMessage({ ...rest, previousBase: null }, reading);
    expect(factsOf(message).map(([label]) => label)).toEqual(['Seen', 'Your rule']);
    expect(whenAndWhere(message.event)).toBe('');
  });

  it('of the event are its date and place, in one line', () => {
    expect(whenAndWhere(composeMessage(anAlert(), reading).event)).toBe(
      'Sat, Mar 7, 2026, 7:30 PM · Kaseya Center, Miami',
    );
  });
});

describe('a price of one listing far under the rest', () => {
  const warningOf = (confirmations: number) => {
    const alert = anAlert({ loneListing: { confirmations } });
    return factsOf(composeMessage(alert, reading))[0];
  };

  it('is doubted first of all, with the setting that waits for another snapshot (A5)', () => {
    expect(warningOf(1)).toEqual([
      'Careful',
      'One listing, far under the rest; it may be mis-keyed. With confirmations 2 the rule waits until 2 snapshots in a row show it.',
    ]);
  });

  it('is doubted without advice when the rule has the most confirmations', () => {
    expect(warningOf(10)).toEqual([
      'Careful',
      'One listing, far under the rest; it may be mis-keyed.',
    ]);
  });
});

describe('several alerts in one message (A3)', () => {
  const magic = { eventId: 4712, eventName: 'Nets at Magic', series: 'stats/get_in' };
  const alerts = [anAlert(), anAlert(magic), anAlert({ base: 7_000 })].map((alert) =>
    composeMessage(alert, reading),
  );
  const message = alertsMessage(alerts, { stopUrl });

  it('have the first of them and their number as headline', () => {
    expect(message.headline).toBe(
      '$74 ▼ 18%: Knicks at Heat, Lower Bowl · and 2 more, of 2 events',
    );
    expect(message.push).toBe('$74 ▼ 18% Knicks at Heat, Lower Bowl +2');
  });

  it('are grouped by event, in the order of each event’s first', () => {
    const groups = eventGroups(message.alerts).map(({ event, alerts: ofEvent }) => [
      event.name,
      ofEvent.map(({ value }) => value),
    ]);
    expect(groups).toEqual([
      ['Knicks at Heat', ['$74', '$70']],
      ['Nets at Magic', ['$74']],
    ]);
  });

  it('have a page that lists those that a channel has no room for (A13)', () => {
    expect(message.moreUrl).toBe('https://getin.example/l/token?do=alerts');
  });
});

it('says exactly for how long a channel has failed (A22)', () => {
  const failingForMs = 3.5 * 86_400_000;
  const trouble = { channel: 'slack channel', percent: 70, reason: 'http_500' } as const;
  expect(troubleNotice({ ...trouble, failingForMs }).headline).toBe(
    'Your slack channel has failed for 3 days 12 hours: 70% of the way to being switched off',
  );
});

it.each<[Partial<Alert>, string]>([
  [{}, 'from $90 since Feb 28, 2:00 PM EST, under your $80'],
  [{ loneListing: { confirmations: 1 } }, 'from $90 since Feb 28, 2:00 PM EST, under your $80'],
  [
    { series: 'stats/total_listings_active', base: 12, previousBase: 40, askedLevel: 20 },
    'from 40 since Feb 28, 2:00 PM EST, under your 20',
  ],
  [{ previousBase: null, askedLevel: null }, ''],
  [
    { role: 'recovery', base: 8_500, previousBase: 7_400, withFee: 8_500 },
    'from $74 since Feb 28, 2:00 PM EST, over your $80',
  ],
])('a line of a digest says a move once: %j', (changes, rest) => {
  expect(afterLead(composeMessage(anAlert(changes), reading))).toBe(rest);
});

describe('names that nobody can see', () => {
  it.each<[string, Partial<Alert>, string]>([
    ['an empty venue', { venueName: '' }, 'Sat, Mar 7, 2026, 7:30 PM · Miami'],
    ['a hidden city', { venueCity: '\ufe0f' }, 'Sat, Mar 7, 2026, 7:30 PM · Kaseya Center'],
    ['a hidden place', { venueName: '\u2800', venueCity: '' }, 'Sat, Mar 7, 2026, 7:30 PM'],
  ])('leave %s out', (_what, changes, words) => {
    expect(whenAndWhere(composeMessage(anAlert(changes), reading).event)).toBe(words);
  });

  it.each(['', '\u200b', '\u2800'])('say so of a zone named %j', (zone) => {
    const series = `stats/get_in/zone=${encodeURIComponent(zone)}`;
    expect(composeMessage(anAlert({ series }), reading).place).toBe(
      'Knicks at Heat, a zone without a name',
    );
  });
});
