// What an alert says, for every form of rule.
import { describe, expect, it } from 'vitest';
import type { Alert } from '#shared/alerts/alert.ts';
import { composeMessage, factsOf } from '#shared/delivery/message/message.ts';
import { aListingAlert, anAlert, firedAt, reading } from '#test/support/alerts.ts';

const headlineOf = (changes: Partial<Alert>) => composeMessage(anAlert(changes), reading).headline;

const wholeEvent = { series: 'stats/get_in' };
const drop = {
  series: 'stats/get_in/drop_pct:high:24h',
  askedLevel: null,
  sentence: 'Get-in drops by 15% from the high of the last 24 hours',
  direction: 'up' as const,
};

describe('the headline', () => {
  it.each<[string, Partial<Alert>, string]>([
    [
      'a level of a zone',
      {},
      'Knicks at Heat, Lower Bowl: get-in $74, down 18% from $90 since yesterday; your level was $80',
    ],
    [
      'a level of the whole event',
      wholeEvent,
      'Knicks at Heat: get-in $74, down 18% from $90 since yesterday; your level was $80',
    ],
    [
      'cents where there are any',
      { base: 7_450, previousBase: 9_001 },
      'Knicks at Heat, Lower Bowl: get-in $74.50, down 17% from $90.01 since yesterday; your level was $80',
    ],
    [
      'thousands',
      { base: 123_456, previousBase: null, askedLevel: 150_000 },
      'Knicks at Heat, Lower Bowl: get-in $1,234.56; your level was $1,500',
    ],
    [
      'a small change with a decimal',
      { base: 8_700, previousBase: 9_000 },
      'Knicks at Heat, Lower Bowl: get-in $87, down 3.3% from $90 since yesterday; your level was $80',
    ],
    [
      'a rule that was true already',
      { previousBase: null, alreadyTrue: true },
      'Knicks at Heat, Lower Bowl: get-in $74; your level was $80 (already so when the rule was made)',
    ],
    [
      'a change from a window',
      { ...drop, baseline: 10_000, previousBase: 8_000 },
      'Knicks at Heat: get-in $74, down 26% from the high of the last 24 hours, $100; your rule: Get-in drops by 15% from the high of the last 24 hours',
    ],
    [
      'a change from the snapshot before',
      { ...drop, series: 'stats/get_in/rise_pct:previous', baseline: 6_000 },
      'Knicks at Heat: get-in $74, up 23% from $60 since yesterday; your rule: Get-in drops by 15% from the high of the last 24 hours',
    ],
    [
      'a new low',
      {
        ...drop,
        series: 'stats/get_in/below_low:7d',
        baseline: 8_000,
        sentence: 'Get-in at a new low within 7 days',
      },
      'Knicks at Heat: get-in $74, a new low within 7 days, $6 below the one before ($80); your rule: Get-in at a new low within 7 days',
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
      'Knicks at Heat: get-in $74, a new low within the 26 hours watched, $6 below the one before ($80); your rule: Get-in at a new low within 7 days',
    ],
    [
      'a new low in a window that is covered but for a gap between snapshots',
      { ...drop, series: 'stats/get_in/below_low:7d', baseline: 8_000, coveredMs: 163 * 3_600_000 },
      'Knicks at Heat: get-in $74, a new low within 7 days, $6 below the one before ($80); your rule: Get-in drops by 15% from the high of the last 24 hours',
    ],
    [
      'a change from a window that is not covered',
      { ...drop, baseline: 10_000, coveredMs: 13 * 3_600_000 },
      'Knicks at Heat: get-in $74, down 26% from the high of the 13 hours watched, $100; your rule: Get-in drops by 15% from the high of the last 24 hours',
    ],
    [
      'the highest of all that was watched',
      {
        ...drop,
        series: 'stats/get_in/above_high:ever',
        baseline: 7_000,
        coveredMs: 40.5 * 86_400_000,
      },
      'Knicks at Heat: get-in $74, the highest of the 40 days watched, $4 above the one before ($70); your rule: Get-in drops by 15% from the high of the last 24 hours',
    ],
    [
      'a price of one listing far under the rest',
      { loneListing: { confirmations: 1 } },
      'Knicks at Heat, Lower Bowl: get-in $74, down 18% from $90 since yesterday, one listing far under the rest; your level was $80',
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
      'Knicks at Heat: get-in $99, the highest ever seen, $19 above the one before ($80); your rule: Get-in at a new high ever',
    ],
    [
      'supply at a level',
      {
        series: 'stats/total_listings_active',
        base: 1_018,
        previousBase: 1_030,
        askedLevel: 1_020,
      },
      'Knicks at Heat: active listings 1,018, down 12 from 1,030 since yesterday; your level was 1,020',
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
      'Knicks at Heat: active listings 90, down 25% from the high of the last 24 hours, 120; your rule: Active listings drops by 20% from the high of the last 24 hours',
    ],
    [
      'listings that match a filter',
      {
        series: 'listings/count/min_quantity=2;rows=A-K;sections=101-105,CLUB*;zones=Lower%20Bowl',
        base: 2,
        previousBase: 3,
        askedLevel: 2,
      },
      'Knicks at Heat, Lower Bowl, section 101-105, CLUB*, row A-K, 2 or more together: matching listings 2, down 1 from 3 since yesterday; your level was 2',
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
      'Knicks at Heat: active listings 3, up from none since yesterday; your rule: The first listing appears',
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
      'Knicks at Heat: sold out: no listing is left; your rule: The last listing is gone',
    ],
    [
      'a zone that sold out',
      {
        series: 'stats/present/zone=Lower%20Bowl',
        base: 0,
        askedLevel: null,
        sentence: 'The last listing in Lower Bowl is gone',
      },
      'Knicks at Heat, Lower Bowl: the last listing is gone; your rule: The last listing in Lower Bowl is gone',
    ],
    [
      'a fill rate',
      { series: 'stats/listing_fill_rate', base: 6_150, previousBase: 5_900, askedLevel: 6_000 },
      'Knicks at Heat: fill rate 61.5%, up 2.5 points from 59% since yesterday; your level was 60%',
    ],
    [
      'a price with a fee, both numbers',
      { base: 18_000, withFee: 24_300, feeBps: 3_500, previousBase: 19_000, askedLevel: 24_300 },
      'Knicks at Heat, Lower Bowl: get-in $180 ($243 with your 35% fee), down 5.3% from $190 since yesterday; your level was $243',
    ],
    [
      'a further step',
      { role: 'further', baseline: 8_000, askedLevel: 8_000 },
      'Knicks at Heat, Lower Bowl: get-in $74, down a further 7.5% from $80 since yesterday; your rule: Get-in of Lower Bowl at or below $80.00',
    ],
    [
      'no data',
      { role: 'no_data', series: 'stats/get_in/zone=Lower%20Bowl/missing', base: 1, value: 1 },
      'Knicks at Heat, Lower Bowl: no get-in any more (was $90): nothing is for sale there; your rule: Get-in of Lower Bowl at or below $80.00',
    ],
  ])('tells of %s', (_form, changes, headline) => {
    expect(headlineOf(changes)).toBe(headline);
  });

  it('names the cheapest listing, and the rest below it', () => {
    const message = composeMessage(aListingAlert(), reading);
    expect(message.headline).toBe(
      'Knicks at Heat: new cheapest listing $120 (section 101, row A, 2 tickets); your level was $150',
    );
    expect(message.listings).toEqual([
      '$120: section 101, row A, 2 tickets, Lower Bowl',
      '$125.50: section 102, row B, 3 tickets, Lower Bowl',
      '$131: section 103, row C, 4 tickets, Lower Bowl',
    ]);
  });

  it('leaves out since when, for an alert from before that was kept', () => {
    const { earlierAt: _unknown, ...old } = anAlert();
    const message = composeMessage(old, reading);
    expect(message.headline).toBe(
      'Knicks at Heat, Lower Bowl: get-in $74, down 18% from $90; your level was $80',
    );
    expect(message.previousValue).toBe('$90');
    expect(message.previousSeen).toBeUndefined();
  });

  it('tells of an old alert as of the past, with its age', () => {
    const late = { ...reading, now: firedAt + 7 * 3_600_000 };
    expect(composeMessage(anAlert(), late).headline).toBe(
      '7 hours ago: Knicks at Heat, Lower Bowl: get-in $74, down 18% from $90 since yesterday; your level was $80',
    );
  });
});

describe('the facts', () => {
  it('give event, date at the venue, values, and the age of the observation on the reader’s clock', () => {
    expect(factsOf(composeMessage(anAlert(), reading))).toEqual([
      ['Event', 'Knicks at Heat'],
      ['Date', 'Sat, Mar 7, 2026, 7:30 PM'],
      ['Venue', 'Kaseya Center, Miami'],
      ['Where', 'Lower Bowl'],
      ['Now', '$74'],
      ['Before', '$90 (Feb 28, 2:00 PM EST)'],
      ['Your level', '$80'],
      ['Your rule', 'Get-in of Lower Bowl at or below $80.00'],
      ['Seen', 'Mar 1, 7:01 AM EST, 2 min ago'],
    ]);
  });

  it('leave out what is not known', () => {
    const { eventDate: _d, eventTime: _t, venueName: _v, venueCity: _c, ...rest } = anAlert();
    const labels = factsOf(composeMessage({ ...rest, previousBase: null }, reading)).map(
      ([label]) => label,
    );
    expect(labels).toEqual(['Event', 'Where', 'Now', 'Your level', 'Your rule', 'Seen']);
  });
});

describe('a price of one listing far under the rest', () => {
  const nowOf = (confirmations: number) => {
    const alert = anAlert({ loneListing: { confirmations } });
    return new Map(factsOf(composeMessage(alert, reading))).get('Now');
  };

  it('is doubted, with the setting that waits for another snapshot', () => {
    expect(nowOf(1)).toBe(
      '$74: one listing, far under the rest; it may be mis-keyed. With confirmations 2 the rule waits until 2 snapshots in a row show it',
    );
  });

  it('is doubted without advice when the rule has the most confirmations', () => {
    expect(nowOf(10)).toBe('$74: one listing, far under the rest; it may be mis-keyed');
  });
});
