// What the chart of an alert shows, by the form of its rule.
import { describe, expect, it } from 'vitest';
import type { Alert } from '#shared/alerts/alert.ts';
import type { ChartPoint } from '#shared/charts/chart.ts';
import { chartFactsOf } from '#shared/delivery/alert-chart.ts';
import { aListingAlert, anAlert, firedAt } from '#test/support/alerts.ts';

const points: ChartPoint[] = [
  [firedAt - 7_200_000, 9_000],
  [firedAt - 60_000, 7_400],
];
const chart = { points, utcOffsetMinutes: -300 };

function factsOf(changes: Partial<Alert>) {
  const { valueText, chart: drawn, ...facts } = chartFactsOf(anAlert({ chart, ...changes })) ?? {};
  expect(drawn).toEqual(chart);
  return { ...facts, told: valueText?.(7_450) };
}

describe('the chart of an alert', () => {
  it('is missing for an alert without one', () => {
    expect(chartFactsOf(anAlert())).toBeUndefined();
  });

  it.each<[string, Partial<Alert>, object]>([
    [
      'a level',
      {},
      {
        title: 'Get-in, Lower Bowl',
        tone: 'fall',
        level: { value: 8_000, label: '$80', words: 'Your level: $80' },
        told: '$74.50',
      },
    ],
    [
      'a level with a fee, at the listed price that reaches it',
      { askedLevel: 10_000, feeBps: 2_500 },
      {
        title: 'Get-in, Lower Bowl',
        tone: 'fall',
        level: { value: 8_000, label: '$100 with fee', words: 'Your level: $100 with fee' },
        told: '$74.50',
      },
    ],
    [
      'a rise',
      { series: 'stats/get_in', base: 9_500, direction: 'up', askedLevel: 9_500 },
      {
        title: 'Get-in',
        tone: 'rise',
        level: { value: 9_500, label: '$95', words: 'Your level: $95' },
        told: '$74.50',
      },
    ],
    [
      'a drop in percent',
      { series: 'stats/get_in/drop_pct:high:24h', baseline: 9_000, level: 1_500, askedLevel: null },
      {
        title: 'Get-in',
        tone: 'fall',
        level: {
          value: 7_650,
          label: '$76.50 (15% below $90)',
          words: 'Alert level: $76.50 (15% below $90)',
        },
        told: '$74.50',
      },
    ],
    [
      'a rise in dollars',
      {
        series: 'stats/get_in/rise:low:24h',
        base: 9_500,
        baseline: 9_000,
        level: 400,
        askedLevel: null,
      },
      {
        title: 'Get-in',
        tone: 'rise',
        level: {
          value: 9_400,
          label: '$94 ($4 above $90)',
          words: 'Alert level: $94 ($4 above $90)',
        },
        told: '$74.50',
      },
    ],
    [
      'a new low',
      { series: 'stats/get_in/below_low:7d', baseline: 7_900, level: 1, askedLevel: null },
      {
        title: 'Get-in',
        tone: 'fall',
        level: { value: 7_900, label: 'lowest before: $79', words: 'The lowest before: $79' },
        told: '$74.50',
      },
    ],
    [
      'a number of listings',
      { series: 'stats/total_listings_active', base: 20, previousBase: 25, askedLevel: 20 },
      {
        title: 'Active listings',
        tone: 'fall',
        level: { value: 20, label: '20', words: 'Your level: 20' },
        told: '7,450',
      },
    ],
    [
      'a number that is missing, without a level',
      { series: 'stats/get_in/missing', role: 'no_data', direction: 'up' },
      { title: 'Get-in', tone: 'none', level: undefined, told: '$74.50' },
    ],
    [
      'a change from nothing, without a level',
      {
        series: 'stats/total_listings_active/rise_pct:previous',
        baseline: 0,
        base: 5,
        askedLevel: null,
      },
      { title: 'Active listings', tone: 'rise', level: undefined, told: '7,450' },
    ],
  ])('shows %s', (_name, changes, expected) => {
    expect(factsOf(changes)).toEqual(expected);
  });

  it('names the seats of a listing rule', () => {
    expect(chartFactsOf({ ...aListingAlert(), chart })).toMatchObject({
      title: 'Price, section 101-105, 2 or more together',
      level: { value: 15_000, label: '$150' },
    });
  });
});
